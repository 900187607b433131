/** Runs inside the sandbox, with node-worker.cjs: snapshots of node:test, which are read and never written. */
const { strictEqual } = require('node:assert');
const { createContext, runInContext } = require('node:vm');

/** The snapshots of a test file. What it sets does not hold for the next one. */
function openSnapshots(path) {
  let defaults = [value => JSON.stringify(value, null, 2)];
  let resolvePath = at => `${at}.snapshot`;
  let kept = null;
  const counts = new Map();
  const serialize = (value, { serializers = defaults } = {}) => {
    const text = serializers.reduce((at, fn) => fn(at), value);
    if (typeof text !== 'string')
      throw new Error('The provided serializers did not generate a string.');
    return text;
  };
  const readKept = () => {
    const context = { __proto__: null, exports: { __proto__: null } };
    runInContext(readFileSync(resolvePath(path), 'utf8'), createContext(context));
    return context.exports;
  };
  return {
    settings: {
      setDefaultSnapshotSerializers: all => {
        defaults = [...all];
      },
      setResolveSnapshotPath: fn => {
        resolvePath = fn;
      },
    },
    /** The assertions of a case with this full name. */
    assertionsOf: fullName => ({
      snapshot: (value, options) => {
        const text = serialize(value, options);
        const count = (counts.get(fullName) ?? 0) + 1;
        counts.set(fullName, count);
        kept ??= readKept();
        const id = `${fullName} ${count}`;
        if (!Object.hasOwn(kept, id)) throw new Error(`Snapshot '${id}' not found.`);
        strictEqual(`\n${text}\n`, String(kept[id]));
      },
      fileSnapshot: (value, at, options) =>
        strictEqual(serialize(value, options), readFileSync(at, 'utf8')),
    }),
  };
}
