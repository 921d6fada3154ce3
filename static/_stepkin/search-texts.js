// Finds words in texts, including other forms and misspelled words. Does not use the page.

const RUN = /[\p{Alphabetic}\p{N}\p{M}]+/gu;
/** Letters of scripts without spaces between words: Thai, Lao, Burmese, Khmer, Chinese and Japanese. */
const DENSE = /([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+)/u;
const HUMP = /(?<=[\p{Lowercase}\p{N}])(?=\p{Uppercase})/u;

/** Without accents, in lower case. */
const fold = (text) => (/^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC")).toLowerCase();

/** All pairs of adjacent letters, or the only letter. */
function pairs(run) {
  const letters = [...run];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => letters[at] + letter);
}

/** The words in a run of letters and digits. With `apart`, also the parts of a name like `trackEvent`. */
function wordsOfRun(run, apart) {
  return run.split(DENSE).filter(Boolean).flatMap((same) => {
    if (DENSE.test(same)) return pairs(fold(same));
    const humps = apart ? same.split(HUMP) : [];
    return [same, ...(humps.length > 1 ? humps : [])].map(fold);
  });
}

/** The words of a text, split as in the build. */
export const words = (text, apart = true) => (text.match(RUN) ?? []).flatMap((run) => wordsOfRun(run, apart));

/** The edit distance of two words with transpositions, or `most` + 1 if it is larger. */
export function distance(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before, last = [], row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    [before, last, row] = [last, row, [i]];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      row[j] = Math.min(row[j - 1] + 1, last[j] + 1, last[j - 1] + !same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > most) return most + 1;
  }
  return row[other.length];
}

/** Minimum similarity of a word that begins with the typed text. */
const AS_TYPED = 0.5;
/** Minimum similarity of a word with the same spelling. */
const OTHER_FORM = 0.4;

/** How well a word matches the typed text, from 1 for equal to 0: its beginning, another form, or a similar spelling. */
export function likeness(typed, word) {
  if (word === typed) return 1;
  if (word.startsWith(typed)) return AS_TYPED + 0.4 * (typed.length / word.length);
  if (typed.length < 4) return 0;
  const most = typed.length < 8 ? 1 : 2;
  const longer = word.length - typed.length;
  if (longer > 3 || longer < -3) return 0;
  let shared = 0;
  while (typed[shared] === word[shared]) shared++;
  if (shared >= Math.max(4, typed.length - 3) && word.length - shared <= 3) return OTHER_FORM;
  const steps = distance(typed, word, most);
  // The first letter is rarely mistyped.
  return steps > most ? 0 : 0.35 - 0.1 * steps + (typed[0] === word[0] ? 0.04 : 0);
}

/** The words that are meant, each with its similarity. If enough words match as typed, other spellings are left out. */
function meant(typed, known, isEnough) {
  const found = [];
  for (const word of known) {
    const like = likeness(typed, word);
    if (like) found.push([word, like]);
  }
  const asTyped = found.filter(([, like]) => like >= OTHER_FORM);
  return isEnough(asTyped) ? asTyped : found;
}

const FEW = 3;
const TITLE = 10, NAME = 8, ADDRESS = 3, TEXT = 1, CODE = 0.5;

/** The texts of the loaded parts. */
export class Texts {
  pages = [];
  places = [];
  /** The places of each word, each with a weight. */
  #words = new Map();

  /** Adds the pages of a part in the build's format. */
  add(part, pages) {
    for (const [url, title, above, places] of pages) {
      const page = { url, title, above, part };
      this.pages.push(page);
      for (const [id, name, text, code] of places) {
        const at = this.places.push({ page, id, name: name || title, text, code }) - 1;
        const weights = new Map();
        const weigh = (text, weight) => {
          for (const word of words(text)) weights.set(word, (weights.get(word) ?? 0) + weight);
        };
        weigh(name, NAME);
        if (!id) {
          weigh(title, TITLE);
          weigh(decodeURIComponent(url.split("/").findLast(Boolean) ?? ""), ADDRESS);
        }
        weigh(text, TEXT);
        weigh(code, CODE);
        for (const [word, weight] of weights) {
          if (!this.#words.has(word)) this.#words.set(word, new Map());
          this.#words.get(word).set(at, weight);
        }
      }
    }
  }

  /** The matches of each typed word in the searched parts: by place, with a score from 0 to 1. */
  #places(typed, isAsked) {
    const isIn = (at) => isAsked(this.places[at].page.part);
    const asked = (word) => [...this.#words.get(word)].filter(([at]) => isIn(at));
    const found = meant(typed, this.#words.keys(), (likely) => likely.reduce((sum, [word]) => sum + asked(word).length, 0) > FEW);
    const places = new Map(), spelled = new Map();
    for (const [word, like] of found) {
      for (const [at, weight] of asked(word)) {
        places.set(at, Math.max(places.get(at) ?? 0, like * (weight / (weight + 2))));
        spelled.set(word, Math.max(spelled.get(word) ?? 0, like));
      }
    }
    return { places, spelled };
  }

  /**
   * The pages with the words, the best first, each with its best places. `isWhole` is set if they contain all words as
   * typed, and `meant` contains the found spellings of words that don't occur as typed. If no page contains all words,
   * those with the most are returned, without the words in `ignored` if there are others.
   */
  find(typed, isAsked, ignored) {
    const pages = this.pages.filter(({ part }) => isAsked(part)).length;
    let terms = typed.map((word) => {
      const { places, spelled } = this.#places(word, isAsked);
      const on = new Set([...places.keys()].map((at) => this.places[at].page));
      return { word, places, spelled, on, rare: Math.log(1 + pages / (on.size || 1)) };
    });
    const withAll = (terms) => [...(terms[0]?.on ?? [])].filter((page) => terms.every(({ on }) => on.has(page)));
    let found = withAll(terms), isWhole = true;
    if (!found.length) {
      isWhole = false;
      const telling = terms.filter(({ word }) => !ignored.has(word));
      if (telling.length) terms = telling;
      found = withAll(terms);
      if (!found.length) found = this.#withMost(terms);
    }
    const spellings = terms.map(({ word, spelled }) => {
      const best = [...spelled].sort((one, other) => other[1] - one[1])[0];
      return best && best[1] < OTHER_FORM ? best[0] : word;
    });
    const isMeant = terms.some(({ word }, at) => spellings[at] !== word);
    return {
      pages: this.#ranked(found, terms), isWhole: isWhole && !isMeant, isFewer: !isWhole, meant: isMeant ? spellings.join(" ") : "",
      matched: new Set(terms.flatMap(({ spelled }) => [...spelled.keys()])),
    };
  }

  /** The pages with words that are nearly as distinctive as those of the best page. */
  #withMost(terms) {
    const cover = new Map();
    for (const { on, rare } of terms) for (const page of on) cover.set(page, (cover.get(page) ?? 0) + rare);
    const most = Math.max(...cover.values());
    return [...cover].filter(([, tells]) => tells > most * 0.7).map(([page]) => page);
  }

  #ranked(pages, terms) {
    const places = new Map(pages.map((page) => [page, new Map()]));
    for (const { places: of, rare } of terms) {
      for (const [at, good] of of) {
        const here = places.get(this.places[at].page);
        if (!here) continue;
        const known = here.get(at) ?? { good: 0, has: 0 };
        here.set(at, { good: known.good + good * rare, has: known.has + 1 });
      }
    }
    const ranked = [...places].map(([page, here]) => {
      const best = [...here].map(([at, { good, has }]) => {
        const place = this.places[at];
        return { place, called: called(place.name, terms), good: good * (has / terms.length) ** 2 };
      });
      best.sort((one, other) => other.called - one.called || other.good - one.good);
      return { page, places: best, called: best[0].called, good: Math.max(...best.map(({ good }) => good)) };
    });
    return ranked.sort((one, other) => other.called - one.called || other.good - one.good);
  }
}

/** How well a name matches the typed text: 2 if it consists of these words, 1 if it contains all of them, less for other spellings. */
function called(name, terms) {
  const its = words(name, false);
  const likes = terms.map(({ word, spelled }) => Math.max(0, ...its.map((part) => (part === word ? 1 : spelled.get(part) ?? 0))));
  if (!likes.length || likes.some((like) => !like)) return 0;
  const worst = Math.min(...likes);
  return (its.length === terms.length ? 2 : 1) * (worst >= AS_TYPED ? 1 : worst);
}

/** The file with the words that begin like this one. */
export function fileOf(word, { files, letters }) {
  const first = [...word].slice(0, letters);
  if (first.length < letters && letters > 1) return undefined;
  return first.reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) >>> 0, 0) % files;
}

/** The parts with the typed words, the best first. `lists` contains the content of each word's file. */
export function parts(typed, lists, ignored) {
  const places = (word, list) => {
    const known = new Map();
    const found = meant(word, Object.keys(list), (likely) => likely.reduce((sum, [word]) => sum + list[word].length, 0) > FEW);
    for (const [word, like] of found) {
      let sum = 0;
      for (const distance of list[word]) {
        sum += distance;
        const good = like * (sum % 2 ? 3 : 1);
        if (good > (known.get(sum >> 1) ?? 0)) known.set(sum >> 1, good);
      }
    }
    return known;
  };
  let terms = typed.map((word, at) => ({ word, places: places(word, lists[at]) }));
  const all = (terms) => [...(terms[0]?.places.keys() ?? [])].filter((part) => terms.every(({ places }) => places.has(part)));
  const most = Math.max(1, ...terms.map(({ places }) => places.size));
  const good = (part) => terms.reduce((sum, { places }) => sum + (places.get(part) ?? 0) * Math.log(1 + most / (places.size || 1)), 0);
  let found = all(terms);
  if (!found.length) {
    const telling = terms.filter(({ word }) => !ignored.has(word));
    if (telling.length) terms = telling;
    found = all(terms);
  }
  if (!found.length) found = [...new Set(terms.flatMap(({ places }) => [...places.keys()]))];
  return found.map((part) => [part, good(part)]).sort((one, other) => other[1] - one[1] || one[0] - other[0]).map(([part]) => part);
}

/** The pieces of a text around its first match. Pieces at odd positions match. */
export function excerpt(text, matched, length = 170) {
  const pieces = [""];
  const put = (part, isMatch) => {
    if (!part) return;
    if (pieces.length % 2 === (isMatch ? 0 : 1)) pieces[pieces.length - 1] += part;
    else pieces.push(part);
  };
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    put(text.slice(end, index), false);
    end = index + run.length;
    for (const same of run.split(DENSE).filter(Boolean)) {
      if (!DENSE.test(same)) put(same, wordsOfRun(same, true).some((word) => matched.has(word)));
      else {
        const letters = [...same];
        const isPair = (at) => matched.has(fold((letters[at] ?? "") + (letters[at + 1] ?? "")));
        letters.forEach((letter, at) => put(letter, isPair(at) || (at > 0 && isPair(at - 1))));
      }
    }
  }
  put(text.slice(end), false);
  if (pieces.length === 1) return [text.length > length ? `${text.slice(0, length)}…` : text];
  if (pieces[0].length > 60) pieces[0] = `…${pieces[0].slice(-60).replace(/^\S*\s/, "")}`;
  let room = length;
  const shown = [];
  for (const piece of pieces) {
    if (room <= 0) break;
    shown.push(piece.length > room ? `${piece.slice(0, room)}…` : piece);
    room -= piece.length;
  }
  return shown;
}
