/**
 * Compares two versions of a function on the calls of the tests. Photon appends this text to a source file,
 * so it declares functions only. A difference is thrown, with the call, so that its test case fails.
 */

/** The function that calls the first version, and compares it with the second. */
function photonPair(first, second, options) {
  const both = function (...args) {
    return photonCompare([first, second], [this, args], options);
  };
  Object.defineProperty(both, 'length', { value: first.length });
  return both;
}

/**
 * `near` holds literals for further calls; null for none. With `strict`, a call fails that cannot be compared: one whose
 * copy ends in another way, one whose result cannot be seen, and one whose arguments cannot be changed.
 */
function photonCompare([first, second], [self, args], { near, strict }) {
  photonCompare.state ??= { side: null, calls: 0, tried: 0, judged: 0, hidden: false };
  const { state } = photonCompare;
  if (state.side !== null) return [first, second][state.side].apply(self, args);
  if (state.calls >= 200) return first.apply(self, args);
  state.calls += 1;
  const run = (side, on, see = photonDrained) => {
    state.side = side;
    try {
      return { value: see([first, second][side].apply(on[0], on[1])), on };
    } catch (error) {
      return { error, on };
    } finally {
      state.side = null;
    }
  };
  const copies = [0, 1, 2].map(() => photonCopy([self, args]));
  // a call whose copy ends in another way depends on more than its arguments, so it tells nothing
  const control = run(0, copies[2]);
  const one = run(0, [self, args], value => value);
  const seen = photonIsIterator(one.value) ? run(0, photonCopy(copies[1])) : one;
  const isJudged = photonAlike(seen, control);
  state.hidden = false;
  if (isJudged) {
    photonJudge(seen, run(1, copies[0]), copies[1]);
    state.judged += 1;
  }
  let isNear = near === null || args.length === 0;
  for (const changed of !isJudged || near === null ? [] : photonNear(copies[1][1], near)) {
    isNear = true;
    if (state.tried >= 4000) break;
    state.tried += 1;
    const call = [copies[1][0], changed];
    const changedOne = run(0, photonCopy(call));
    // what the first version refuses is no input of the function
    if (!('error' in changedOne)) photonJudge(changedOne, run(1, photonCopy(call)), call);
  }
  const isCompared = isJudged && isNear && !state.hidden;
  if (strict ? !isCompared : state.judged === 0)
    throw new Error('photon: calls cannot be compared');
  if ('error' in one) throw one.error;
  return one.value;
}

function photonIsIterator(value) {
  return typeof value?.next === 'function' && typeof value[Symbol.iterator] === 'function';
}

/** The first values of an iterator in its place, so that they can be compared. */
function photonDrained(value) {
  if (!photonIsIterator(value)) return value;
  const values = [];
  for (const part of value) {
    values.push(part);
    if (values.length >= 100) break;
  }
  return values;
}

function photonAlike(one, other) {
  return (
    'error' in one === 'error' in other &&
    photonSame(one.value, other.value, 0) &&
    photonSame(one.error, other.error, 0) &&
    photonSame(one.on, other.on, 0)
  );
}

function photonJudge(one, other, [, args]) {
  const show = end => ('error' in end ? `throws ${photonShow(end.error)}` : photonShow(end.value));
  if (photonAlike(one, other)) return;
  const results = [show(one), show(other)];
  const ends = results[0] === results[1] ? 'other side effects' : results.join(' and ');
  // in parts, so that a report that quotes this line does not hold the mark
  const mark = ['photon', 'versions differ', `(${args.map(photonShow).join(', ')})`].join(': ');
  throw new Error(`${mark} gives ${ends};`);
}

function photonShow(value) {
  let text;
  try {
    if (value instanceof Error) text = String(value);
    else text = typeof value === 'function' ? 'a function' : JSON.stringify(value);
  } catch {
    // cyclic
  }
  return String(text ?? value).slice(0, 60);
}

function photonSame(a, b, depth) {
  if (Object.is(a, b)) return true;
  if (depth > 12) return photonHide();
  // what a function encloses cannot be seen
  if (typeof a === 'function' && typeof b === 'function')
    return String(a) === String(b) && photonHide();
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return a === 0 && b === 0;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof RegExp) return String(a) === String(b);
  if (a instanceof Map || a instanceof Set) return photonSame([...a], [...b], depth + 1);
  if (photonIsHidden(a)) photonHide();
  if (photonText(a) !== photonText(b)) return false;
  const keys = photonKeys(a);
  return (
    keys.length === photonKeys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && photonSame(a[key], b[key], depth + 1))
  );
}

/** Notes that values were compared of which a part cannot be seen. */
function photonHide() {
  photonCompare.state.hidden = true;
  return true;
}

/** True for a promise, a stream, an iterator, a built-in object of another kind, and one with private fields. */
function photonIsHidden(value) {
  if (['then', 'next', 'pipe', 'getReader'].some(name => typeof value[name] === 'function'))
    return true;
  if (ArrayBuffer.isView(value)) return false;
  const seen = [Object, Array, Error, Number, String, Boolean];
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    const maker = Object.hasOwn(at, 'constructor') ? at.constructor : undefined;
    if (maker === undefined || seen.includes(maker)) continue;
    const text = Function.prototype.toString.call(maker);
    if (/(?<![\w$'"`])#[\w$]/.test(text)) return true;
    if (text.includes('[native code]') && !/(?:Error|Object|Array)$/.test(maker.name)) return true;
  }
  return false;
}

/** The text of a value that has one of its own, such as an error. */
function photonText(value) {
  const own = value.toString !== Object.prototype.toString && !Array.isArray(value);
  try {
    return own ? String(value) : '';
  } catch {
    return '';
  }
}

function photonKeys(value) {
  return Reflect.ownKeys(value).filter(key =>
    Object.prototype.propertyIsEnumerable.call(value, key),
  );
}

function photonCopy(value, known = new Map()) {
  if (typeof value !== 'object' || value === null) return value;
  if (known.has(value)) return known.get(value);
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp || value instanceof Promise || ArrayBuffer.isView(value))
    return value;
  if (value instanceof Map || value instanceof Set) {
    const made = new value.constructor();
    known.set(value, made);
    for (const part of value)
      if (value instanceof Map) made.set(photonCopy(part[0], known), photonCopy(part[1], known));
      else made.add(photonCopy(part, known));
    return made;
  }
  const made = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
  known.set(value, made);
  if (value instanceof Error)
    for (const key of ['message', 'stack', 'cause'])
      if (Object.hasOwn(value, key))
        Object.defineProperty(made, key, Object.getOwnPropertyDescriptor(value, key));
  for (const key of photonKeys(value)) made[key] = photonCopy(value[key], known);
  return made;
}

/** Arguments near those of a call: one of them changed, by a little or to a literal of the tests. */
function* photonNear(args, literals) {
  for (const [i, arg] of args.entries())
    for (const other of photonBeside(arg, literals, 0)) yield args.with(i, other);
}

function* photonBeside(value, literals, depth) {
  if (typeof value === 'number') {
    yield* Number.isInteger(value)
      ? [value + 1, value - 1, 0, value * 2, -value]
      : [value + 0.5, value - 0.5];
    yield* literals.filter(
      l => typeof l === 'number' && Number.isInteger(l) === Number.isInteger(value),
    );
  } else if (typeof value === 'string') {
    yield* [
      value.slice(1),
      value.slice(0, -1),
      value + value,
      value.toUpperCase(),
      value.toLowerCase(),
    ];
    if (value.length > 1) yield value[0].toUpperCase() + value.slice(1);
    if (value.length > 3) yield value.slice(0, value.length >> 1);
    yield* literals.filter(l => typeof l === 'string');
    if (/^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)))
      for (const date of photonDates(Date.parse(value)))
        yield date.toISOString().slice(0, value.length);
  } else if (typeof value === 'boolean') yield !value;
  else if (value instanceof Date) yield* photonDates(value.getTime());
  else if (value instanceof Map || value instanceof Set) {
    for (const parts of [[], [...value].slice(1), [...value].slice(0, -1)])
      yield new value.constructor(parts);
  } else if (Array.isArray(value)) {
    yield* [[], value.slice(1), value.slice(0, -1), value.toReversed(), [...value, ...value]];
    if (depth < 2)
      for (const [i, part] of value.slice(0, 4).entries())
        for (const other of photonBeside(part, literals, depth + 1)) yield value.with(i, other);
  } else if (typeof value === 'object' && value !== null && depth < 2) {
    for (const key of Object.keys(value).slice(0, 6))
      for (const other of photonBeside(value[key], literals, depth + 1))
        yield Object.assign(photonCopy(value), { [key]: other });
  }
}

function photonDates(time) {
  const steps = [1, 60_000, 3_600_000, 86_400_000, 31_536_000_000];
  return steps.flatMap(step => [new Date(time + step), new Date(time - step)]);
}
