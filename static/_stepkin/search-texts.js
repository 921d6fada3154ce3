// Finds words in texts, including other forms and misspelled words. Does not use the page.

const RUN = /[\p{Alphabetic}\p{N}\p{M}]+/gu;
/** Letters of scripts without spaces between words: Thai, Lao, Burmese, Khmer, Chinese and Japanese. */
const DENSE = /([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+)/u;
const HUMP = /(?<=[\p{Lowercase}\p{N}])(?=\p{Uppercase})/u;

/** In lower case, without accents. */
const fold = (text) => (/^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC")).toLowerCase();

/** All pairs of adjacent letters, or the only letter. */
function pairs(run) {
  const letters = [...run];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => letters[at] + letter);
}

/** An identifier in code: runs joined by a single dot, underscore or hyphen. */
const IDENTIFIER = new RegExp(`${RUN.source}(?:[._-]${RUN.source})*`, "gu");

/** Passes the words of a run of letters and digits. For a name such as `trackEvent`, its parts are also words. */
function eachOfRun(run, take) {
  for (const same of run.split(DENSE).filter(Boolean)) {
    if (DENSE.test(same)) pairs(fold(same)).forEach((pair) => take(pair, false));
    else {
      const humps = same.split(HUMP);
      take(fold(same), humps.length > 1);
      if (humps.length > 1) humps.forEach((hump) => take(fold(hump), false));
    }
  }
}

const joined = (identifier) => fold(identifier.replace(/[._-]/g, ""));

/** Passes the words of a text, in the same way as the build splits pages. `isWhole` is set for a complete identifier with several parts. */
function each(text, take) {
  for (const [identifier] of text.matchAll(IDENTIFIER)) {
    const runs = identifier.match(RUN);
    runs.forEach((run) => eachOfRun(run, take));
    if (runs.length > 1 && !DENSE.test(identifier)) take(joined(identifier), true);
  }
}

/** The words of a text. */
export function words(text) {
  const found = [];
  each(text, (word) => found.push(word));
  return found;
}

/** All pairs of adjacent words in a name, joined, because readers may write them without a space. */
function joinedPairs(name) {
  const runs = name.match(RUN) ?? [];
  return runs.slice(1).map((run, at) => runs[at] + run).map((pair) => (DENSE.test(pair) ? "" : fold(pair)));
}

/**
 * The words of a query. Each term has equivalent forms, which are lists of words: the typed word and its synonyms. An
 * identifier has `parts`, which are searched for if the complete identifier is unknown, and `written`, its original
 * text.
 */
export function terms(text, synonyms = []) {
  const typed = [...text.matchAll(IDENTIFIER)].flatMap(([identifier]) => {
    if (DENSE.test(identifier)) return words(identifier).map((word) => ({ word, forms: [[word]] }));
    const parts = [];
    each(identifier, (word, isWhole) => isWhole || parts.push(word));
    const word = joined(identifier);
    return parts.length > 1 ? { word, forms: [[word]], parts, written: identifier } : { word, forms: [[word]] };
  });
  const spellings = synonyms.map((group) => group.map((spelling) => terms(spelling).map(({ word }) => word)));
  const found = [];
  while (typed.length) {
    const begins = (spelling) => spelling.every((word, at) => typed[at]?.word === word);
    const [own, group] = spellings.flatMap((group) => group.filter(begins).map((own) => [own, group]))
      .sort(([one], [other]) => other.length - one.length)[0] ?? [];
    if (!own) found.push(typed.shift());
    else {
      typed.splice(0, own.length);
      found.push({ word: own.join(" "), forms: [own, ...group.filter((other) => other !== own)] });
    }
  }
  return found.filter(({ word }, at) => found.findIndex((other) => other.word === word) === at);
}

/** The forms of a term, including the parts of an identifier if the complete identifier is unknown. */
const formsOf = ({ forms, parts }, isKnown) => (parts && !isKnown(forms[0][0]) ? [...forms, parts] : forms);

/** The number of letters to replace, add, remove or swap to turn one word into the other, or `most` + 1 if there are more. */
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

/** Minimum likeness of the typed word and of words that begin with it. */
const AS_TYPED = 0.5;
/** Minimum likeness of another form of the typed word. Below it are misspelled words. */
const OTHER_FORM = 0.4;

/** Returns how similar a word is to the typed one, from 0 to 1 for the same: a beginning, another form, or a similar spelling. */
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
  // Typing mistakes rarely affect the first letter.
  return steps > most ? 0 : 0.35 - 0.1 * steps + (typed[0] === word[0] ? 0.04 : 0);
}

const keepMost = (map, key, value) => value > (map.get(key) ?? 0) && map.set(key, value);

/** A similar spelling is searched for in addition to words that begin as typed if it is this many times as frequent. */
const RARER = 3;
/** Words at more locations than this are spelled as intended. */
const FEW = 3;

/**
 * Returns the words that the typed word may mean, with their likeness. `count` returns the frequency of a word. If
 * words that begin as typed are frequent, and no similar spelling is much more frequent than they are, similar
 * spellings are left out.
 */
function meant(typed, known, count) {
  const found = [];
  for (const word of known) {
    const like = likeness(typed, word);
    if (like) found.push([word, like]);
  }
  const asTyped = found.filter(([, like]) => like >= OTHER_FORM);
  const counts = (some) => some.map(([word]) => count(word));
  const total = counts(asTyped).reduce((sum, more) => sum + more, 0);
  const isSame = asTyped.some(([, like]) => like === 1);
  const others = isSame ? 0 : Math.max(0, ...counts(found.filter(([, like]) => like < OTHER_FORM)));
  if (total > FEW && others <= RARER * Math.max(...counts(asTyped))) return asTyped;
  return isSame ? found : withForms(found, known);
}

/** Adds the other forms of the best similar spelling, as if that had been typed. */
function withForms(found, known) {
  const [best] = found.filter(([, like]) => like < OTHER_FORM).sort((one, other) => other[1] - one[1]);
  if (!best) return found;
  const likes = new Map(found);
  for (const word of known) {
    const like = likeness(best[0], word);
    if (like >= OTHER_FORM) keepMost(likes, word, like * best[1]);
  }
  return [...likes];
}

// Half of the weights in `words.rs`.
const TITLE = 10, NAME = 8, IDENTIFIER_WEIGHT = 4, ADDRESS = 3, ABOUT = 2, OPENING = 2, TEXT = 1, CODE = 0.5;

/** Converts a weight to the quality of a match in a section or part, from 0 to 1. */
const goodness = (weight) => weight / (weight + 2);

/** Share of a section's score that comes from its complete page. */
const WHOLE_PAGE = 0.3;
/** Weight of ignored words if the query contains others. */
const LITTLE = 0.2;
/** Bonus for the title of a page, compared with the same heading of a section. */
const OWN_NAME = 0.5;
/** Factor for names if some words only match the names of ancestors. */
const WITH_NAMES_ABOVE = 0.9;
/** Bonus for an identifier in its original spelling, with the same case and separators. */
const AS_WRITTEN = 0.4;
/** Bonus for steps, so that they precede other pages with the same score. */
const STEP = 0.02;

/** The texts of the parts that were loaded. */
export class Texts {
  pages = [];
  places = [];
  /** For each word, its sections with a weight. */
  #words = new Map();
  /** For each word, the pages whose folders, ancestors, tutorial or platform have it in their names. */
  #above = new Map();

  /** Adds the pages of a part, as the build writes them; `names` are those of its tutorial and platform. */
  add(part, pages, names = []) {
    for (const [url, title, above, places] of pages) {
      const page = { url, title, above, part, isStep: names.length > 0, first: this.places.length };
      this.pages.push(page);
      const folders = url.split("/").filter(Boolean).map(decodeURIComponent);
      const last = folders.pop() ?? "";
      for (const word of words([...folders, ...above, ...names].join(" / "))) this.#note(this.#above, word, page, ABOUT);
      for (const [id, name, text, code] of places) {
        const at = this.places.push({ page, id, name: name || title, text, code }) - 1;
        const weigh = (text, weight, whole = weight) => each(text, (word, isWhole) => this.#note(this.#words, word, at, isWhole ? whole : weight));
        weigh(name, NAME);
        if (!id) {
          weigh(title, TITLE);
          joinedPairs(title).forEach((word) => this.#note(this.#words, word, at, TITLE));
          weigh(last, ADDRESS);
        }
        weigh(text, id ? TEXT : OPENING, IDENTIFIER_WEIGHT);
        weigh(code, CODE, IDENTIFIER_WEIGHT);
      }
    }
  }

  #note(index, word, key, weight) {
    if (!index.has(word)) index.set(word, new Map());
    const weights = index.get(word);
    weights.set(key, (weights.get(key) ?? 0) + weight);
  }

  /**
   * Returns the sections with a typed word in the selected parts, and the pages with it in the names of their
   * ancestors, with scores from 0 to 1.
   */
  #word(typed, isAsked) {
    const asked = (index, word, pageOf) => [...(index.get(word) ?? [])].filter(([key]) => isAsked(pageOf(key).part));
    const placed = (word) => asked(this.#words, word, (at) => this.places[at].page);
    const named = (word) => asked(this.#above, word, (page) => page);
    const known = new Set([...this.#words.keys(), ...this.#above.keys()]);
    const found = meant(typed, known, (word) => placed(word).length + named(word).length);
    const places = new Map(), above = new Map(), totals = new Map(), spelled = new Map();
    for (const [word, like] of found) {
      const standing = placed(word), naming = named(word);
      for (const [at, weight] of standing) {
        const { page } = this.places[at];
        keepMost(places, at, like * goodness(weight));
        totals.set(page, (totals.get(page) ?? 0) + like * weight);
      }
      for (const [page, weight] of naming) keepMost(above, page, like * goodness(weight));
      if (standing.length || naming.length) spelled.set(word, like);
    }
    return { places, above, totals, spelled, on: new Set([...totals.keys(), ...above.keys()]) };
  }

  /** The same for a form of several words, on the pages with all of them. */
  #form(form, isAsked) {
    const its = form.map((word) => this.#word(word, isAsked));
    if (its.length === 1) return { ...its[0], spelled: [its[0].spelled] };
    const on = new Set([...its[0].on].filter((page) => its.every((word) => word.on.has(page))));
    const mean = (goods) => goods.reduce((sum, good) => sum + good, 0) / its.length;
    const places = new Map(), above = new Map(), totals = new Map();
    for (const at of its.flatMap(({ places }) => [...places.keys()])) {
      const { page } = this.places[at];
      if (on.has(page)) places.set(at, mean(its.map((word) => word.places.get(at) ?? word.above.get(page) ?? 0)));
    }
    for (const page of on) {
      totals.set(page, mean(its.map((word) => word.totals.get(page) ?? 0)));
      if (its.every((word) => word.above.has(page))) above.set(page, mean(its.map((word) => word.above.get(page))));
    }
    return { places, above, totals, on, spelled: its.map(({ spelled }) => spelled) };
  }

  /** The same for all forms of a term, with its rarity. */
  #term(term, isAsked, pages) {
    const isKnown = (word) => [...(this.#words.get(word)?.keys() ?? [])].some((at) => isAsked(this.places[at].page.part));
    const forms = formsOf(term, isKnown).map((form) => this.#form(form, isAsked));
    const places = new Map(), above = new Map(), totals = new Map();
    for (const form of forms) {
      for (const [at, good] of form.places) keepMost(places, at, good);
      for (const [page, good] of form.above) keepMost(above, page, good);
      for (const [page, weight] of form.totals) keepMost(totals, page, weight);
    }
    const on = new Set(forms.flatMap(({ on }) => [...on]));
    return { word: term.word, written: term.written, places, above, totals, on, forms: forms.map(({ spelled }) => spelled), rare: Math.log(1 + pages / (on.size || 1)) };
  }

  /**
   * Returns the pages with the words, the best first, each with its best sections.
   *
   * `isWhole` is set if they contain all words as typed. `meant` contains the known spellings of words that don't occur as
   * typed. Words in `ignored` are optional if the query contains others. If no page contains all other words, the pages with
   * the most of them are returned.
   */
  find(typed, isAsked, ignored) {
    const pages = this.pages.filter(({ part }) => isAsked(part)).length;
    const terms = typed.map((term) => this.#term(term, isAsked, pages));
    const telling = tellingOf(terms, ignored);
    const all = [...(telling[0]?.on ?? [])].filter((page) => telling.every(({ on }) => on.has(page)));
    const found = all.length ? all : this.#withMost(telling);
    const spellings = terms.map(spelling);
    const isMeant = terms.some(({ word }, at) => spellings[at] !== word);
    return {
      pages: this.#ranked(found, terms, telling), isWhole: all.length > 0 && !isMeant, isFewer: !all.length, meant: isMeant ? spellings.join(" ") : "",
      matched: new Set(terms.flatMap(({ forms }) => forms.flat().flatMap((spelled) => [...spelled.keys()]))),
    };
  }

  /** Returns the pages whose matching words have nearly as much weight as those of the best page. */
  #withMost(terms) {
    const cover = new Map();
    for (const { on, rare } of terms) for (const page of on) cover.set(page, (cover.get(page) ?? 0) + rare);
    const most = Math.max(...cover.values());
    return [...cover].filter(([, tells]) => tells > most * 0.7).map(([page]) => page);
  }

  #ranked(pages, terms, telling) {
    const places = new Map(pages.map((page) => [page, new Set()]));
    for (const { places: of } of terms) for (const at of of.keys()) places.get(this.places[at].page)?.add(at);
    const tells = (term) => term.rare * (telling.includes(term) ? 1 : LITTLE);
    const total = terms.reduce((sum, term) => sum + tells(term), 0);
    const ranked = [...places].map(([page, here]) => {
      // A page that only matches by the names of its ancestors.
      if (!here.size) here.add(page.first);
      const best = [...here].map((at) => {
        const good = (term) => tells(term) * ((1 - WHOLE_PAGE) * Math.max(term.places.get(at) ?? 0, term.above.get(page) ?? 0)
          + WHOLE_PAGE * goodness(term.totals.get(page) ?? 0));
        const place = this.places[at];
        const score = terms.reduce((sum, term) => sum + good(term), 0) / total;
        const isWritten = terms.some(({ written }) => written && [place.name, place.text, place.code].some((text) => text.includes(written)));
        return { place, score: score + called(place, terms, telling) + (isWritten ? AS_WRITTEN : 0) + (page.isStep ? STEP : 0) };
      });
      best.sort((one, other) => other.score - one.score);
      return { page, places: best, score: best[0].score };
    });
    return ranked.sort((one, other) => other.score - one.score);
  }
}

/** Returns the terms without ignored words, if there are others. */
function tellingOf(terms, ignored) {
  const telling = terms.filter(({ word }) => !ignored.has(word));
  return telling.length ? telling : terms;
}

/** Returns the best known spelling of a term that doesn't occur as typed. */
function spelling({ word, forms }) {
  const best = forms.map((form) => form.map((spelled) => [...spelled].sort((one, other) => other[1] - one[1])[0] ?? ["", 0]))
    .map((form) => ({ words: form.map(([word]) => word).join(" "), like: Math.min(...form.map(([, like]) => like)) }))
    .sort((one, other) => other.like - one.like)[0];
  return best.like > 0 && best.like < OTHER_FORM ? best.words : word;
}

/**
 * Returns how well the name of a section matches the query: the share of the name that was typed, if the name contains all words
 * that aren't ignored. Misspelled words reduce it, and a page's title gets a bonus. Words in the names of ancestors may be missing.
 */
function called({ page, id, name }, terms, telling) {
  const tokens = (name.match(IDENTIFIER) ?? []).map(words);
  const pairs = id ? [] : joinedPairs(name);
  const its = [...tokens.flat(), ...pairs];
  const like = ({ forms }) => Math.max(...forms.map((form) => Math.min(...form.map((spelled) => Math.max(0, ...its.map((word) => spelled.get(word) ?? 0))))));
  const likes = telling.map((term) => [like(term), term.above.has(page)]);
  const inName = likes.filter(([like]) => like > 0);
  if (!inName.length || likes.some(([like, isAbove]) => !like && !isAbove)) return 0;
  const isTyped = (word) => terms.some(({ forms }) => forms.some((form) => form.some((spelled) => spelled.has(word))));
  const share = tokens.filter((token, at) => token.some(isTyped) || [pairs[at], pairs[at - 1]].some((pair) => pair && isTyped(pair))).length / tokens.length;
  const worst = Math.min(...inName.map(([like]) => like));
  return (share + (id ? 0 : OWN_NAME)) * (worst >= AS_TYPED ? 1 : worst) * (inName.length < likes.length ? WITH_NAMES_ABOVE : 1);
}

/** Returns the number of the file with the words that begin with the same letters. */
export function fileOf(word, { files, letters }) {
  const first = [...word].slice(0, letters);
  if (first.length < letters && letters > 1) return undefined;
  return first.reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) >>> 0, 0) % files;
}

/** The levels of a word in a part: from 0 to 7. */
const LEVELS = 8;
/** Parts with a score below this share of the best score are not loaded. */
const FAR_WORSE = 0.4;

/** Maximum number of parts and of pages to load for an answer, unless a single part has more pages. */
const MOST_PARTS = 10, MOST_PAGES = 48;

/** Returns the first of these parts, up to the maximum for an answer. */
export function few(parts, catalogue) {
  let pages = 0;
  const end = parts.findIndex((at, number) => (pages += catalogue.parts[at][1]) > MOST_PAGES && number > 0 || number >= MOST_PARTS);
  return end < 0 ? parts : parts.slice(0, end);
}

/**
 * Returns the parts of `scope` to load for an answer, and whether more parts contain the words. `listOf` loads the
 * file with the entries for a word.
 */
export async function choose(typed, scope, catalogue, ignored, listOf) {
  if (few(scope, catalogue).length === scope.length) return { chosen: scope, more: false };
  const lists = new Map();
  for (let next = missing(typed, lists); next.length; next = missing(typed, lists)) {
    await Promise.all(next.map(async (word) => lists.set(word, await listOf(word))));
  }
  const isOfFamily = (at) => catalogue.parts[at][2] !== null;
  const best = parts(typed, lists, { ignored, scope: new Set(scope), isOfFamily });
  const chosen = few(best, catalogue);
  return { chosen, more: chosen.length < best.length };
}

/** Returns the words whose files must be loaded before `parts` can answer. `lists` contains the loaded file for each word. */
function missing(typed, lists) {
  const isKnown = (word) => !lists.has(word) || Object.hasOwn(lists.get(word), word);
  return [...new Set(typed.flatMap((term) => formsOf(term, isKnown).flat()))].filter((word) => !lists.has(word));
}

/** Returns the parts of `scope` with the typed words, the best first. Among equal ones, parts of families come first. */
export function parts(typed, lists, { ignored, scope, isOfFamily }) {
  const ofWord = (word) => {
    const list = lists.get(word) ?? {};
    const known = new Map();
    for (const [found, like] of meant(word, Object.keys(list), (word) => list[word].length)) {
      let sum = 0;
      for (const distance of list[found]) {
        sum += distance;
        const part = Math.floor(sum / LEVELS);
        if (scope.has(part)) keepMost(known, part, like * goodness(2 ** (sum % LEVELS)));
      }
    }
    return known;
  };
  const ofTerm = (term) => {
    const known = new Map();
    for (const form of formsOf(term, (word) => Object.hasOwn(lists.get(word) ?? {}, word))) {
      const its = form.map(ofWord);
      for (const part of its[0].keys()) {
        if (its.every((word) => word.has(part))) keepMost(known, part, its.reduce((sum, word) => sum + word.get(part), 0) / its.length);
      }
    }
    return { word: term.word, known, rare: Math.log(1 + scope.size / (known.size || 1)) };
  };
  const terms = typed.map(ofTerm);
  const telling = tellingOf(terms, ignored);
  const total = telling.reduce((sum, { rare }) => sum + rare, 0);
  const score = (part) => {
    const has = telling.reduce((sum, { known, rare }) => sum + (known.has(part) ? rare : 0), 0) / total;
    return has * terms.reduce((sum, term) => sum + (term.known.get(part) ?? 0) * term.rare * (telling.includes(term) ? 1 : LITTLE), 0);
  };
  const scored = [...new Set(telling.flatMap(({ known }) => [...known.keys()]))].map((part) => [part, score(part)]);
  const best = Math.max(...scored.map(([, score]) => score));
  return scored.filter(([, score]) => score >= best * FAR_WORSE)
    .sort((one, other) => other[1] - one[1] || isOfFamily(other[0]) - isOfFamily(one[0]) || one[0] - other[0]).map(([part]) => part);
}

/** Returns the pieces of a text around its first match. Pieces at odd positions match. */
export function excerpt(text, matched, length = 170) {
  const pieces = [""];
  const put = (part, isMatch) => {
    if (!part) return;
    if (pieces.length % 2 === (isMatch ? 0 : 1)) pieces[pieces.length - 1] += part;
    else pieces.push(part);
  };
  let end = 0;
  const isWhole = (identifier) => matched.has(joined(identifier));
  const runs = [...text.matchAll(IDENTIFIER)].flatMap((found) => (isWhole(found[0]) ? [found]
    : [...found[0].matchAll(RUN)].map((run) => ({ 0: run[0], index: found.index + run.index }))));
  for (const { 0: run, index } of runs) {
    put(text.slice(end, index), false);
    end = index + run.length;
    if (isWhole(run)) {
      put(run, true);
      continue;
    }
    for (const same of run.split(DENSE).filter(Boolean)) {
      if (!DENSE.test(same)) put(same, words(same).some((word) => matched.has(word)));
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
