// Preloaded into the program by a test: the list of connections comes a second late, as on a busy machine, so that whoever set up the
// first connection is faster. Electron and the development host both have what answers the window in a Map, by channel.
const { set } = Map.prototype;
/** @param {unknown} key @param {any} value @returns {any} */
Map.prototype.set = function (key, value) {
  if (key !== 'console:invoke' || typeof value !== 'function') return set.call(this, key, value);
  return set.call(this, key, async (/** @type {unknown[]} */ ...args) => {
    if (args[1] === 'connections.list') await new Promise((done) => setTimeout(done, 1000));
    return value(...args);
  });
};
