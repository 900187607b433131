/** Part of the programs whose threads stay: finds what a candidate changed that outlives it in its thread. */

/** Global classes that Node loads when something looks at them, which takes 30 ms; they are not watched. */
const loadedLate =
  /^(FormData|Headers|Request|Response|MessageEvent|WebSocket|CloseEvent|EventSource)$/;

/** Remembers the built-in objects as they are now. */
function openBuiltIns() {
  // the code under test may replace what this uses
  const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf, isExtensible } = Reflect;
  const { String: text, process: here } = globalThis;
  const { is } = Object;
  const mostNamed = 50;
  const known = [];
  const propertiesOf = object => {
    const keys = ownKeys(object);
    const properties = [];
    for (let i = 0; i < keys.length; i++) {
      const isLate = object === globalThis && loadedLate.test(text(keys[i]));
      properties[i] = isLate ? null : getOwnPropertyDescriptor(object, keys[i]);
    }
    return { keys, properties };
  };
  const remember = (name, object) => {
    if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return;
    for (let i = 0; i < known.length; i++) if (known[i].object === object) return;
    known[known.length] = {
      name,
      object,
      above: getPrototypeOf(object),
      open: isExtensible(object),
      ...propertiesOf(object),
    };
  };
  const environment = () => ({ ...here.env });
  const before = environment();

  remember('globalThis', globalThis);
  const names = `Object Function Array String Number Boolean Symbol BigInt Date RegExp Error TypeError RangeError
    SyntaxError Map Set WeakMap WeakSet Promise ArrayBuffer Uint8Array Proxy Reflect JSON Math Intl Buffer URL console`;
  for (const name of names.split(/\s+/)) {
    remember(name, globalThis[name]);
    remember(`${name}.prototype`, globalThis[name].prototype);
  }
  for (const [name, value] of [
    ['typed arrays', getPrototypeOf(Uint8Array)],
    ['iterators', getPrototypeOf(getPrototypeOf([][Symbol.iterator]()))],
    ['array iterators', getPrototypeOf([][Symbol.iterator]())],
    ['functions', (async () => {}).constructor],
    ['generators', function* () {}.constructor],
  ]) {
    remember(name, value);
    remember(`${name}.prototype`, value.prototype);
  }
  for (const name of ['fs', 'fs/promises', 'path', 'util', 'events']) {
    const loaded = require(`node:${name}`);
    remember(name, loaded);
    remember(`${name}.prototype`, loaded.prototype);
  }

  const differs = (one, other) =>
    !is(one.value, other.value) ||
    one.get !== other.get ||
    one.set !== other.set ||
    one.writable !== other.writable ||
    one.configurable !== other.configurable;

  /** The names of the properties that are new, gone or others. */
  const changesOf = (found, add) => {
    const { name, object, keys, properties } = found;
    if (getPrototypeOf(object) !== found.above || isExtensible(object) !== found.open) add(name);
    const now = ownKeys(object);
    let same = now.length === keys.length;
    for (let i = 0; same && i < keys.length; i++) same = now[i] === keys[i];
    for (let i = 0; i < keys.length; i++) {
      const known = properties[i];
      if (known === null) continue;
      // a value that is still there needs no description, which takes most of the time
      if (same && known.writable && is(object[keys[i]], known.value)) continue;
      const property = getOwnPropertyDescriptor(object, keys[i]);
      if (property === undefined || differs(property, known)) add(`${name}.${text(keys[i])}`);
    }
    if (same) return;
    for (let i = 0; i < now.length; i++) {
      let isOld = false;
      for (let j = 0; !isOld && j < keys.length; j++) isOld = keys[j] === now[i];
      if (!isOld) add(`${name}.${text(now[i])}`);
    }
  };

  return {
    /** The names of what differs now; at most 50. */
    changed: () => {
      const names = [];
      const add = name => {
        if (names.length < mostNamed) names[names.length] = name.slice(0, 200);
      };
      for (let i = 0; i < known.length; i++) changesOf(known[i], add);
      const now = environment();
      for (const name in { ...before, ...now })
        if (before[name] !== now[name]) add(`process.env.${name}`);
      return names;
    },
  };
}
