// The screens: each function takes a platform and returns the HTML of one picture.

const icon = (paths, size = 20) => `<svg width="${size}" height="${size}" viewBox="0 0 24 24">${paths}</svg>`;

const icons = {
  ferry: '<path d="M3 14h18l-2.5 5.5h-13z"/><path d="M6.5 14V9.5h11V14M9.5 9.5V6h5v3.5M2.5 22c1.6 0 1.6-1 3.2-1s1.6 1 3.2 1 1.6-1 3.1-1 1.6 1 3.2 1 1.6-1 3.2-1 1.6 1 3.1 1"/>',
  web: '<rect x="3" y="4.5" width="18" height="15" rx="2.5"/><path d="M3 9.5h18M6.5 7h.01M9.5 7h.01"/>',
  ios: '<rect x="7" y="2.5" width="10" height="19" rx="3"/><path d="M10.6 5.2h2.8"/>',
  android: '<rect x="7" y="2.5" width="10" height="19" rx="2"/><circle cx="12" cy="5.4" r=".6"/><path d="M10.5 18.8h3"/>',
  server: '<rect x="4" y="4" width="16" height="7" rx="2"/><rect x="4" y="13" width="16" height="7" rx="2"/><path d="M8 7.5h.01M8 16.5h.01"/>',
  feed: '<path d="M5 5a14 14 0 0 1 14 14M5 11.5a7.5 7.5 0 0 1 7.5 7.5"/><circle cx="6.2" cy="17.8" r="1.2"/>',
  file: '<path d="M6 3h8l4.5 4.500V21H6z"/><path d="M14 3v4.500h4.500M9 12.500h6M9 16.500h6"/>',
  webhook: '<circle cx="6" cy="17" r="3"/><circle cx="18" cy="17" r="3"/><circle cx="12" cy="6" r="3"/><path d="M9 17h6M10.5 8.7 7.4 14.300M13.5 8.700l3.1 5.6"/>',
  mail: '<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="m4 7.5 8 6 8-6"/>',
  chart: '<path d="M4 20h16M7 16v-5M12 16V6M17 16v-8"/>',
  store: '<ellipse cx="12" cy="6" rx="8" ry="3"/><path d="M4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3"/>',
  chat: '<path d="M4 5h16v11H11l-4.5 4v-4H4z"/>',
  sheet: '<rect x="4" y="4" width="16" height="16" rx="2"/><path d="M4 10h16M4 15h16M10 4v16"/>',
  arrow: '<path d="M3 12h17M14 6l6 6-6 6"/>',
  check: '<path d="m4.5 12.5 5 5 10-11"/>',
  basket: '<path d="M4 9h16l-1.8 10.500H5.800zM8 9l3-5M16 9l-3-5"/>',
  tea: '<path d="M5 9h11v6a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4zM16 10.500h1.500a2.2 2.2 0 0 1 0 4.500H16M8.5 3v3M12 3v3"/>',
  bread: '<path d="M4 10a4 4 0 0 1 4-4h8a4 4 0 0 1 2 7.500V19H6v-5.500A4 4 0 0 1 4 10zM10 10.500v3M14 10.500v3"/>',
  jam: '<path d="M7 4h10v3H7zM6 9.500A2.5 2.5 0 0 1 8 7h8a2.5 2.5 0 0 1 2 2.500V20H6zM6 12h12v4.500H6"/>',
  milk: '<path d="M9 3h6v3l2.5 4v11h-11V10L9 6zM6.5 12.500h11"/>',
  down: '<path d="m6 9 6 6 6-6"/>',
};

const menu = [
  ['Activity', ['Live view']],
  ['Connections', ['Connect']],
  ['Users', []],
  ['Plans', []],
  ['Setup', ['Inputs', 'Outputs']],
];

/** The dashboard around `main`, with the menu open at `here`. */
function dashboard(p, here, main, veil = '') {
  const side = menu.map(([name, subs]) => {
    const open = name === here || subs.includes(here);
    const cls = name === here ? 'here' : open ? 'open' : '';
    const below = open ? subs.map((sub) => `<div class="sub ${sub === here ? 'here' : ''}">${sub}</div>`).join('') : '';
    return `<div class="${cls}">${name}</div>${below}`;
  }).join('');
  return `<div class="dash">
    <div class="top">
      <div class="brand">${icon(icons.ferry, 25)}Ferry</div>
      <div class="space">${icon(icons[p.id], 17)}Corner Shop ${p.name}<span class="pill tint">Development</span><span class="avatar">SK</span></div>
    </div>
    <div class="side">${side}</div>
    <div class="main">${main}</div>
  </div>${veil}`;
}

const title = (text, right = '') => `<div class="between"><h1>${text}</h1><div class="row">${right}</div></div>`;
const button = (text, cls = '') => `<span class="button ${cls}">${text}</span>`;
const tile = (symbol, name, text, chosen = false) =>
  `<div class="card tile ${chosen ? 'chosen' : ''}">${icon(icons[symbol], 24)}<span>${name}<br><small>${text}</small></span></div>`;
const field = (label, value, cls = '') => `<div class="field ${cls}"><label>${label}</label><div class="input">${value}</div></div>`;
const select = (label, value) =>
  `<div class="field"><label>${label}</label><div class="input select">${value}<span class="soft">${icon(icons.down, 17)}</span></div></div>`;
const veil = (dialog) => `<div class="veil">${dialog}</div>`;

function json(value) {
  return JSON.stringify(value, null, 2)
    .replace(/("[^"\n]*")(:)?|\b-?\d+(?:\.\d+)?\b/g, (all, text, colon) => {
      if (text && colon) return `<span class="k">${text}</span>:`;
      return `<span class="${text ? 's' : 'n'}">${all}</span>`;
    });
}

function smallDevice(p) {
  const goods = (n) => `<div class="goods">${'<i></i>'.repeat(n)}</div>`;
  return p.id === 'web'
    ? `<div class="mini browser"><div class="bar"><i></i><i></i><i></i></div>${goods(4)}</div>`
    : `<div class="mini phone ${p.id}">${goods(6)}</div>`;
}

export function journey(p) {
  const arrow = (text) => `<div class="arrow">${text}${icon(icons.arrow, 38)}</div>`;
  return `<div class="journey">
    <div class="card stop"><span class="what">Input</span>${smallDevice(p)}<div><h2>Corner Shop</h2><small>${p.name}</small></div></div>
    ${arrow('events')}
    <div class="card stop hub"><span class="what">Hub</span>${icon(icons.ferry, 84)}<div><h2>Ferry</h2><small>connection</small></div></div>
    ${arrow('JSON')}
    <div class="card stop"><span class="what">Output</span><div style="color: var(--accent)">${icon(icons.webhook, 84)}</div><div><h2>Webhook</h2><small>POST /your-address</small></div></div>
  </div>`;
}

export function inputs(p) {
  const tiles = [
    ['web', 'Web', 'Pages in a browser'],
    ['ios', 'iOS', 'iPhone and iPad'],
    ['android', 'Android', 'Phones and tablets'],
    ['server', 'Server', 'Your own back end'],
    ['feed', 'Feed', 'Another service'],
    ['file', 'File', 'Upload by hand'],
  ].map(([id, name, text]) => tile(id, name, text, id === p.id)).join('');
  return dashboard(p, 'Inputs', `${title('Inputs', button('Add input', 'main-button ring'))}
    <p class="soft" style="margin-bottom: 14px">Where do your events come from?</p>
    <div class="tiles">${tiles}</div>`);
}

export function key(p) {
  return dashboard(p, 'Inputs', title('Inputs', button('Add input', 'main-button')), veil(`<div class="dialog">
    <div class="head"><h2>Your ${p.name} input is ready</h2></div>
    <div class="body">
      <p class="soft" style="margin-bottom: 14px">Put this key into the code of Corner Shop. You can issue a new key at any time.</p>
      <div class="field"><label>Key for ${p.name}</label>
        <div class="row" style="gap: 16px"><div class="input mono" style="flex: 1">fk_${p.id}_7Qm2x9LtB4vRd1Ea</div>${button('Copy', 'main-button ring')}</div>
      </div>
    </div>
    <div class="foot">${button('Close')}</div>
  </div>`));
}

const wares = [
  ['tea', 'Breakfast tea', '£4.50'],
  ['bread', 'Sourdough loaf', '£3.20'],
  ['jam', 'Strawberry jam', '£2.80'],
  ['milk', 'Oat milk', '£1.90'],
];

export function shop(p) {
  const head = `<div class="shop-head"><span class="shop-name">Corner Shop</span><span class="basket">${icon(icons.basket, 27)}<b>1</b></span></div>`;
  const add = p.id === 'web' ? 'Add to basket' : 'Add';
  const goods = wares.map(([symbol, name, price]) =>
    `<div class="card ware"><div class="pic">${icon(icons[symbol], 32)}</div><div><b>${name}</b><span class="price">${price}</span><div><span class="add">${add}</span></div></div></div>`).join('');
  if (p.id === 'web') {
    return `<div class="stage"><div class="browser-window">
      <div class="tabs"><i></i><i></i><i></i><span class="address">localhost:5173</span></div>${head}<div class="shelf">${goods}</div>
    </div></div>`;
  }
  return `<div class="stage"><div class="phone-frame ${p.id}">
    <div class="status"><span>09:26</span><span class="lens"></span><span>100%</span></div>${head}${goods}
  </div></div>`;
}

function liveRows(p, rows) {
  const body = rows.map(([time, event, detail, cls]) => `<tr class="${cls ?? ''}">
    <td class="mono">${time}</td><td><b>${event}</b></td><td class="soft">${detail}</td><td>${p.name}</td><td class="soft">${p.device}</td></tr>`).join('');
  return `<div class="card"><table><tr><th>Time</th><th>Event</th><th>About</th><th>Input</th><th>Device</th></tr>${body}</table></div>`;
}

export function liveView(p) {
  return dashboard(p, 'Live view', `${title('Live view', `<span class="pill good">● Receiving</span>${button('Development ▾')}`)}
    ${liveRows(p, [
    ['09:26:53', 'Product added', 'Breakfast tea', 'ring'],
    ['09:26:51', 'Product viewed', 'Breakfast tea'],
    ['09:26:47', 'Screen viewed', 'Products'],
    ['09:26:47', 'Session started', '5f0c2a'],
    ['09:26:46', 'SDK started', '2.4.0'],
  ])}`);
}

export function outputs(p) {
  const tiles = [
    ['webhook', 'Webhook', 'Any address', true],
    ['mail', 'Mailing list', 'Subscribers'],
    ['chart', 'Analytics', 'Charts and funnels'],
    ['store', 'Warehouse', 'Tables for queries'],
    ['chat', 'Chat message', 'One per event'],
    ['sheet', 'Spreadsheet', 'One row per event'],
  ].map((args) => tile(...args)).join('');
  return dashboard(p, 'Outputs', `${title('Outputs', button('Add output', 'main-button ring'))}
    <div class="row soft" style="margin-bottom: 14px">Your input: <span class="row" style="gap: 6px; color: var(--accent); font-weight: 600">${icon(icons[p.id], 18)}${p.name}</span><span class="pill">not connected</span></div>
    <div class="tiles">${tiles}</div>`);
}

export function webhookForm(p) {
  return dashboard(p, 'Outputs', `${title('New webhook', `${button('Cancel')}${button('Save configuration', 'main-button ring')}`)}
    <div class="card pad"><div class="grid2">
      ${field('Configuration Name', 'Corner Shop webhook', 'wide')}
      ${field('URL', `<span class="mono">https://webhook.site/0c7e-${p.id}-41d2</span>`, 'wide')}
      ${select('HTTP Method', 'POST')}
      ${select('Content Type', 'application/json')}
      <div class="wide grid3">${field('Signing Secret', '<span class="soft">empty</span>')}${field('Retry Limit', '3')}${field('Timeout', '10 seconds')}</div>
    </div></div>`);
}

const inputLine = (p) => `<div class="row">${icon(icons[p.id], 24)}<div><b style="font-weight: 600">${p.name}</b><div class="soft" style="font-size: 12.500px">Corner Shop</div></div></div>`;

export function connect(p) {
  return dashboard(p, 'Connect', `${title('Connect')}
    <div class="grid2" style="gap: 20px">
      <div><p class="soft" style="margin-bottom: 9px">1. Choose an input</p>
        <div class="card pad chosen">${inputLine(p)}</div>
        <div class="card pad" style="margin-top: 10px"><div class="row"><span class="soft">${icon(icons.server, 24)}</span><div><b style="font-weight: 600">Server</b><div class="soft" style="font-size: 12.500px">Stock room</div></div></div></div>
      </div>
      <div><p class="soft" style="margin-bottom: 9px">2. Choose an output</p>
        <div class="card pad" style="height: 144px; border-style: dashed; border-color: #b9c1d0; display: grid; place-content: center; justify-items: center; gap: 16px">
          <span class="soft">${p.name} has no output yet</span>${button('Connect output', 'main-button ring')}
        </div>
      </div>
    </div>`);
}

export function settings(p) {
  const names = ['Send Custom Events', 'Send Lifecycle Events', 'Send Screen Views', 'Send Commerce Events', 'Include Metadata', 'Include User Identity Change Events'];
  if (p.id === 'android') names.splice(2, 0, 'Send Profile Change Events');
  const control = (on) => p.id === 'ios'
    ? `<span class="state">${on ? 'Enabled' : 'Disabled'}<span class="switch ${on ? 'on' : ''}"></span></span>`
    : `<span class="box ${on ? 'on' : ''}">${on ? icon(icons.check, 14) : ''}</span>`;
  const line = (name, right) => `<div class="setting"><span>${name}</span>${right}</div>`;
  return dashboard(p, 'Connect', title('Connect'), veil(`<div class="dialog" style="width: 500px">
    <div class="head between" style="padding: 11px 20px"><h2>${p.name} to Corner Shop webhook</h2></div>
    <div class="body" style="padding: 6px 20px">
      ${line('Connection Status', '<span class="state" style="color: var(--good); font-weight: 600">Active<span class="switch on"></span></span>')}
      ${line('Metadata Field Exclusion', '<span class="state">none</span>')}
      ${line('Send as Batch', control(false))}
      ${names.map((name) => line(name, control(true))).join('')}
    </div>
    <div class="foot" style="padding: 11px 20px">${button('Cancel')}${button('Add connection', 'main-button ring')}</div>
  </div>`));
}

export function connections(p) {
  return dashboard(p, 'Connections', `${title('Connections', button('Connect', 'main-button'))}
    <div class="card" style="padding: 44px 22px; display: grid; grid-template-columns: 158px 1fr 222px; align-items: center">
      <div><p class="soft" style="margin-bottom: 8px">Input</p><div class="card pad" style="color: var(--accent)">${inputLine(p)}</div></div>
      <div style="text-align: center; padding-top: 28px"><span class="pill good">Active</span>
        <div style="border-top: 3px solid var(--accent); margin-top: 8px; position: relative"><span style="position: absolute; right: -3px; top: -8px; border: 6.500px solid transparent; border-left: 11px solid var(--accent); border-right: 0"></span></div>
        <div class="soft" style="font-size: 12.500px; margin-top: 10px">server-to-server</div></div>
      <div><p class="soft" style="margin-bottom: 8px">Output</p><div class="card pad row">${icon(icons.webhook, 24)}<div><b style="font-weight: 600">Webhook</b><div class="soft" style="font-size: 12.500px">Corner Shop webhook</div></div></div></div>
    </div>`);
}

export function receiver(p) {
  const requests = [['09:31:12', 'Product added', 'ring'], ['09:31:08', 'Product viewed', ''], ['09:31:02', 'Screen viewed', '']];
  const list = requests.map(([time, name, cls], i) => `<div class="card pad ${cls} ${i ? '' : 'chosen'}" style="margin-bottom: 14px; padding: 10px 13px">
    <div class="between"><span class="pill good">POST</span><span class="mono soft">${time}</span></div><div style="font-weight: 600; margin-top: 5px">${name}</div></div>`).join('');
  const body = {
    event: 'Product added',
    time: '2025-03-14T09:31:12Z',
    input: { name: 'Corner Shop', platform: p.name },
    environment: 'development',
    attributes: { sku: 'TEA-250', name: 'Breakfast tea', price: 4.5, currency: 'GBP', quantity: 1 },
    metadata: { sdk: '2.4.0', device: p.device, language: 'en-GB' },
  };
  return `<div style="height: 100%; display: grid; grid-template: 48px 1fr / 230px 1fr; background: #fff">
    <div style="grid-column: 1 / 3; border-bottom: 1px solid var(--line); padding: 0 20px" class="between"><b style="font-weight: 650">Requests</b><span class="mono soft">https://webhook.site/0c7e-${p.id}-41d2</span></div>
    <div style="padding: 20px; background: var(--ground); border-right: 1px solid var(--line)">${list}</div>
    <div style="padding: 14px 22px"><h2 style="margin-bottom: 8px">Body</h2><div class="json" style="line-height: 1.5">${json(body)}</div></div>
  </div>`;
}

export function eventDetails(p) {
  const rows = [['Purchase', '09:40:18'], ['Screen viewed', '09:40:02'], ['Product added', '09:39:51'], ['Product viewed', '09:39:47'], ['Session started', '09:39:40']];
  const list = rows.map(([name, time], i) => `<tr style="${i ? '' : 'background: var(--tint)'}"><td><b>${name}</b><div class="soft" style="font-size: 12.500px">${p.name} · ${p.device}</div></td><td class="mono soft" style="vertical-align: top; padding-top: 11px">${time}</td></tr>`).join('');
  const item = (name, value, cls = '') => `<div class="setting" style="padding: 7px 0"><span class="soft">${name}</span><span class="${cls}" style="font-weight: 600; border-radius: 5px">${value}</span></div>`;
  return dashboard(p, 'Live view', `${title('Live view', button('Development ▾'))}
    <div style="display: grid; grid-template-columns: 1fr 1.050fr; gap: 16px">
      <div class="card"><table>${list}</table></div>
      <div class="card pad"><div class="between" style="margin-bottom: 8px"><h2>Purchase</h2><span class="pill tint">${p.name}</span></div>
        ${item('orderId', 'CS-2041', 'ring')}${item('currency', 'GBP')}${item('total', '4.50')}${item('products', '1')}${item('TEA-250', '1 × 4.50')}${item('forwarded to', 'Webhook')}
      </div>
    </div>`);
}

export function profile(p) {
  const item = (name, value, cls = '') => `<div class="setting" style="padding: 7px 0"><span class="soft">${name}</span><span class="${cls}" style="font-weight: 600; border-radius: 5px">${value}</span></div>`;
  const events = [['Logged in', '10:02:31'], ['Screen viewed', '10:02:20'], ['Purchase', '09:40:18'], ['Product added', '09:39:51'], ['Product viewed', '09:39:47']]
    .map(([name, time]) => `<tr><td style="padding-left: 0"><b>${name}</b></td><td class="soft">${p.name}</td><td class="mono soft" style="padding-right: 0; text-align: right">${time}</td></tr>`).join('');
  return dashboard(p, 'Users', `${title('sam@shop.example', '<span class="pill good">Identified</span>')}
    <div class="grid2" style="gap: 16px">
      <div>
        <div class="card pad"><h2 style="margin-bottom: 4px">Identities</h2>${item('Customer ID', 'C-1024')}${item('Email', 'sam@shop.example')}${item('Device ID', 'd-77e0')}</div>
        <div class="card pad" style="margin-top: 12px"><h2 style="margin-bottom: 4px">Attributes</h2>${item('favouriteShelf', 'Tea', 'ring')}${item('newsletter', 'true')}</div>
      </div>
      <div class="card pad"><h2 style="margin-bottom: 4px">Latest events</h2><table>${events}</table>
        <p class="soft" style="font-size: 12.500px; margin-top: 8px">${p.device}, ${p.system}</p></div>
    </div>`);
}

export function plan(p) {
  const rows = [
    ['Product viewed', 'custom', 'sku, name, price'],
    ['Product added', 'custom', 'sku, name, price, quantity'],
    ['Basket', 'screen', 'items'],
    ['Purchase', 'commerce', 'orderId, total, products'],
  ].map(([name, kind, attributes]) => `<tr><td><b>${name}</b></td><td><span class="pill">${kind}</span></td><td class="mono soft">${attributes}</td></tr>`).join('');
  return dashboard(p, 'Plans', `${title('corner_shop <span class="soft" style="font-weight: 400; font-size: 15px">version 1</span>', button('Activate', 'main-button ring'))}
    <div class="card pad" style="margin-bottom: 14px"><div class="grid2">
      ${select('Environment', 'Development')}
      <div class="field"><label>Input</label><div class="input row" style="gap: 8px; padding: 6px 11px">${icon(icons[p.id], 19)}Corner Shop ${p.name}</div></div>
    </div></div>
    <div class="card"><table><tr><th>Event</th><th>Kind</th><th>Attributes</th></tr>${rows}</table></div>`);
}

export function terminal() {
  const passed = (name) => `${name} <span class="ok">PASSED</span>`;
  return `<div class="terminal"><div class="tabs"><i></i><i></i><i></i><span style="margin-left: 8px">corner-shop-android</span></div><pre>$ ./gradlew testDebugUnitTest --tests 'example.cornershop.*'

<span class="dim">&gt; Task :app:testDebugUnitTest</span>
${passed('ProductViewModelTest &gt; selectingAProductIsTracked')}
${passed('OrderTest &gt; placingAnOrderIsTracked')}
${passed('AccountViewModelTest &gt; loggingInIsTracked')}

<span class="ok ring">BUILD SUCCESSFUL</span> in 6s

<span class="dim">28 actionable tasks: 3 executed, 25 up-to-date</span></pre></div>`;
}
