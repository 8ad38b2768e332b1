// In the sandbox, in a world of its own: what the page may not have stays here.
const { contextBridge, ipcRenderer } = require('electron');

globalThis.onlyInPreload = true;
const kept = { count: 0, list: [1, 2] };
const heard = [];
ipcRenderer.on('number', (event, ...args) => {
  heard.push([typeof event, ...args]);
});
/** How a promise ends, said so that it passes a bridge whole. */
const endOf = (promise) =>
  promise.then(
    (value) => ({ value }),
    (error) => ({ error: error.message, kind: error.constructor.name }),
  );
class Point {
  constructor() {
    this.x = 1;
  }
  length() {
    return this.x;
  }
}
const deep = () => {
  let list = [];
  for (let level = 0; level < 5000; level += 1) list = [list];
  return list;
};

contextBridge.exposeInMainWorld('bridge', {
  report: (name, error) => ipcRenderer.invoke('report', name, error),
  finished: () => ipcRenderer.invoke('finished'),
  hold: () => void ipcRenderer.invoke('hold'),
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  kept: () => kept,
  keptNow: () => kept.count,
  constant: { inside: { list: [1] } },
  call: (listener) => listener({ given: [1] }),
  same: (value) => value === kept,
  isArray: (value) => Array.isArray(value),
  mapped: () => [1, 2].map((one) => one + 1),
  throwsType: () => {
    throw Object.assign(new TypeError('lost type'), { extra: 1 });
  },
  throwsText: () => {
    throw 'only text';
  },
  rejects: () => Promise.reject(Object.assign(new RangeError('lost too'), { extra: 1 })),
  point: () => new Point(),
  special: () => ({ date: new Date(5), map: new Map([[1, new Set([2])]]), bytes: new Uint8Array([1, 2]) }),
  circle: () => {
    const circle = { name: 'round' };
    circle.self = circle;
    return circle;
  },
  proto: () => JSON.parse('{"__proto__":{"polluted":true}}'),
  deep,
  heard: () => heard,
  exposeAgain: () => contextBridge.exposeInMainWorld('bridge', {}),
  exposeOver: () => contextBridge.exposeInMainWorld('document', {}),
  needs: (name) => typeof require(name),
  // What ipcRenderer itself does, without the bridge in between.
  ownClone: async () => {
    const sent = [
      undefined,
      Number.NaN,
      -0,
      10n,
      new Date(7),
      /a/g,
      new Map([['k', new Set([1])]]),
      new Uint8Array([3]),
      new Point(),
    ];
    const [u, nan, zero, big, date, pattern, map, bytes, point] = await ipcRenderer.invoke('echo', ...sent);
    return [
      u === undefined,
      Number.isNaN(nan),
      Object.is(zero, -0),
      big === 10n,
      date instanceof Date && date.getTime() === 7,
      pattern instanceof RegExp && pattern.flags === 'g',
      map instanceof Map && map.get('k').has(1),
      bytes instanceof Uint8Array && bytes[0] === 3,
      point.x === 1 && !(point instanceof Point),
    ];
  },
  ownRefusals: () =>
    Promise.all(
      [() => {}, Symbol('s'), new Proxy({}, {}), Promise.resolve(), new WeakMap()].map((value) =>
        endOf(ipcRenderer.invoke('echo', value)),
      ),
    ),
  ends: (channel) => endOf(ipcRenderer.invoke(channel)),
});
