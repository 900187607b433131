/**
 * Compares two versions of a function on the calls of the tests. Photon appends this text to a source file,
 * so it declares functions only. A difference is thrown, with the call, so that its test case fails.
 */

/** The function that calls the first version, and compares it with the second. */
function photonPair(first, second, near) {
  const both = function (...args) {
    return photonCompare([first, second], [this, args], near);
  };
  Object.defineProperty(both, 'length', { value: first.length });
  return both;
}

function photonCompare([first, second], [self, args], near) {
  photonCompare.state ??= { side: null, calls: 0, tried: 0, judged: 0 };
  const { state } = photonCompare;
  if (state.side !== null) return [first, second][state.side].apply(self, args);
  if (state.calls >= 200) return first.apply(self, args);
  state.calls += 1;
  const run = (side, on) => {
    state.side = side;
    try {
      return { value: [first, second][side].apply(on[0], on[1]), on };
    } catch (error) {
      return { error, on };
    } finally {
      state.side = null;
    }
  };
  const copies = [0, 1, 2].map(() => photonCopy([self, args]));
  // a call whose copy ends in another way depends on more than its arguments, so it tells nothing
  const control = run(0, copies[2]);
  const one = run(0, [self, args]);
  const isLater = typeof one.value?.then === 'function' || typeof one.value?.next === 'function';
  const isJudged = !isLater && photonAlike(one, control);
  if (isJudged) {
    photonJudge(one, run(1, copies[0]), copies[1]);
    state.judged += 1;
  } else if (state.judged === 0) throw new Error('photon: calls cannot be compared');
  for (const changed of !isJudged || near === null ? [] : photonNear(copies[1][1], near)) {
    if (state.tried >= 4000) break;
    state.tried += 1;
    const call = [copies[1][0], changed];
    const changedOne = run(0, photonCopy(call));
    // what the first version refuses is no input of the function
    if (!('error' in changedOne)) photonJudge(changedOne, run(1, photonCopy(call)), call);
  }
  if ('error' in one) throw one.error;
  return one.value;
}

function photonAlike(one, other) {
  return (
    'error' in one === 'error' in other &&
    photonSame(one.value, other.value, 0) &&
    photonSame(one.on, other.on, 0)
  );
}

function photonJudge(one, other, [, args]) {
  const show = end => ('error' in end ? 'throws' : photonShow(end.value));
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
    text = typeof value === 'function' ? 'a function' : JSON.stringify(value);
  } catch {
    // cyclic
  }
  return String(text ?? value).slice(0, 60);
}

function photonSame(a, b, depth) {
  if (Object.is(a, b) || depth > 12) return true;
  if (typeof a === 'function' && typeof b === 'function') return String(a) === String(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return a === 0 && b === 0;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof RegExp) return String(a) === String(b);
  if (a instanceof Map || a instanceof Set) return photonSame([...a], [...b], depth + 1);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && photonSame(a[key], b[key], depth + 1))
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
  for (const key of Object.keys(value)) made[key] = photonCopy(value[key], known);
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
  } else if (typeof value === 'boolean') yield !value;
  else if (Array.isArray(value)) {
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
