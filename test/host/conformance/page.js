// Runs in the page: checks what it can reach of the preload, of main and of the browser, and what it cannot. Reports through the bridge.
const { bridge } = window;

const equal = (seen, wanted) => {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${a} is not ${b}`);
};
const thrownBy = (run) => {
  try {
    run();
  } catch (error) {
    return {
      message: error.message,
      kind: error.constructor === Error ? 'Error' : error.constructor.name,
      extra: error.extra,
    };
  }
  throw new Error('nothing was thrown');
};
const refusalOf = (promise) =>
  promise.then(
    () => 'kept',
    (error) => error,
  );
const matches = (text, pattern) => {
  if (!pattern.test(text)) throw new Error(`${text} does not match ${pattern}`);
};

const checks = {
  'isolated world: nothing of the preload, of Node or of Electron is in the page': () =>
    equal(
      [
        'onlyInPreload',
        'require',
        'process',
        'module',
        'exports',
        'ipcRenderer',
        'hostSend',
        'hostDeliver',
        'Buffer',
      ].filter((name) => name in window),
      [],
    ),
  'isolated world: what the page changes of the language is not changed in the preload': () => {
    const own = Array.prototype.map;
    Array.prototype.map = () => ['the page’s'];
    const mapped = bridge.mapped();
    Array.prototype.map = own;
    equal([mapped[0], mapped[1]], [2, 3]);
  },
  'preload: requires electron, timers and url, and no file system': () => {
    equal(['electron', 'electron/renderer', 'timers', 'url'].map(bridge.needs), [
      'object',
      'object',
      'object',
      'object',
    ]);
    for (const name of ['fs', 'node:fs', 'child_process', './preload.cjs'])
      equal(thrownBy(() => bridge.needs(name)).message, `module not found: ${name}`);
  },
  'contextBridge: what is exposed is frozen to the ground and cannot be replaced': () => {
    const { constant } = bridge;
    for (const change of [
      () => {
        window.bridge = 1;
      },
      () => {
        bridge.extra = 1;
      },
      () => {
        constant.inside.list.push(2);
      },
      () => {
        delete window.bridge;
      },
    ])
      try {
        change();
      } catch {}
    equal([window.bridge === bridge, 'extra' in bridge, constant.inside.list], [true, false, [1]]);
    equal(
      [Object.isFrozen(bridge), Object.isFrozen(constant.inside.list), Object.isFrozen(bridge.call)],
      [true, true, true],
    );
  },
  'contextBridge: a name that the window has already is refused': () => {
    for (const expose of [bridge.exposeAgain, bridge.exposeOver])
      matches(thrownBy(expose).message, /Cannot bind an API on top of an existing property/);
  },
  'contextBridge: values are copied, each time anew': () => {
    const [first, second] = [bridge.kept(), bridge.kept()];
    first.count = 9;
    first.list.push(3);
    equal(
      [second, bridge.keptNow(), first === second, bridge.same(first)],
      [{ count: 0, list: [1, 2] }, 0, false, false],
    );
    equal([bridge.isArray([1]), Object.getPrototypeOf(bridge.kept().list) === Array.prototype], [true, true]);
  },
  'contextBridge: functions become functions, both ways': () => {
    equal(
      bridge.call((value) => [value.given[0], value instanceof Object]),
      [1, true],
    );
  },
  'contextBridge: what is thrown keeps its message and loses its kind': () => {
    equal(thrownBy(bridge.throwsType), { message: 'lost type', kind: 'Error' });
    matches(thrownBy(bridge.throwsText).message, /valid exception was not thrown/);
    equal(
      thrownBy(() =>
        bridge.call(() => {
          throw new TypeError('from the page');
        }),
      ),
      { message: 'from the page', kind: 'Error' },
    );
  },
  'contextBridge: promises are promises of the page, and what they refuse with keeps its message': async () => {
    const promise = bridge.rejects();
    equal(promise instanceof Promise, true);
    const error = await refusalOf(promise);
    equal(
      [error instanceof Error, error.constructor === Error, error.message, 'extra' in error],
      [true, true, 'lost too', false],
    );
  },
  'contextBridge: prototypes are lost, dates, maps and bytes kept, circles closed': () => {
    const point = bridge.point();
    equal([point.x, 'length' in point, Object.getPrototypeOf(point) === Object.prototype], [1, false, true]);
    const { date, map, bytes } = bridge.special();
    equal(
      [
        date instanceof Date,
        date.getTime(),
        map instanceof Map,
        map.get(1).has(2),
        bytes instanceof Uint8Array,
        bytes[1],
      ],
      [true, 5, true, true, true, 2],
    );
    const circle = bridge.circle();
    equal(circle.self === circle, true);
  },
  'contextBridge: a property named __proto__ is a property': () => {
    const copy = bridge.proto();
    equal(
      [Object.hasOwn(copy, '__proto__'), 'polluted' in {}, Object.getPrototypeOf(copy) === Object.prototype],
      [true, false, true],
    );
  },
  'contextBridge: deeper than a thousand is refused': () =>
    matches(thrownBy(bridge.deep).message, /recursion depth exceeded/),
  'messages: undefined, NaN, -0, bigints, dates, patterns, maps and bytes pass; prototypes do not': async () =>
    equal(await bridge.ownClone(), Array(9).fill(true)),
  'messages: functions, symbols, proxies, promises and weak maps are refused': async () => {
    for (const { error } of await bridge.ownRefusals()) matches(error, /could not be cloned/);
    matches((await refusalOf(bridge.invoke('echo', () => {}))).message, /could not be cloned/);
  },
  'invoke: a channel without a handler rejects': async () =>
    equal(await bridge.ends('nobody'), {
      error: "Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
      kind: 'Error',
    }),
  'invoke: what the handler throws is text': async () =>
    equal(await bridge.ends('throws'), {
      error: "Error invoking remote method 'throws': TypeError: not today",
      kind: 'Error',
    }),
  'invoke: an answer that cannot be cloned rejects': async () =>
    matches((await bridge.ends('function')).error, /^Error invoking remote method 'function': .*could not be cloned/),
  'invoke: the sender is the main frame, as the same object each time': async () =>
    equal([await bridge.invoke('frame'), await bridge.invoke('frame')], [true, true]),
  'send: in order, cloned; what cannot be cloned is printed and not sent': async () => {
    equal((await bridge.ends('send')).error, undefined);
    equal(
      bridge
        .heard()
        .map(([event, number, date, nothing]) => [event, number, date instanceof Date, nothing === undefined]),
      [
        ['object', 1, true, true],
        ['object', 2, true, true],
        ['object', 3, true, true],
      ],
    );
  },
  'window.open that is denied gives null, and no contents are made': async () => {
    equal(window.open('app://console/opened.html'), null);
    const [opening, contents] = await bridge.invoke('opened');
    equal([opening.length, new URL(opening[0]).pathname, contents], [1, '/opened.html', 1]);
  },
  'a page that goes elsewhere is asked about, and stays where that is prevented': async () => {
    location.href = 'https://example.invalid/elsewhere';
    let gone = [];
    while (gone.length === 0) gone = await bridge.invoke('gone');
    equal([gone, document.title], [['https://example.invalid/elsewhere'], 'Conformance']);
  },
  'permissions that the program refuses are denied to the page': async () => {
    const states = [];
    for (const name of ['geolocation', 'notifications', 'midi', 'camera'])
      states.push((await navigator.permissions.query({ name })).state);
    equal([states, Notification.permission], [['denied', 'denied', 'denied', 'denied'], 'denied']);
  },
};

if (location.pathname === '/other.html') bridge.hold();
else if (location.pathname === '/index.html') {
  for (const [name, run] of Object.entries(checks)) {
    let error;
    try {
      await run();
    } catch (thrown) {
      error = String(thrown);
    }
    await bridge.report(name, error);
  }
  bridge.finished();
}
