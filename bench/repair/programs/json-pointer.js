// tuning
/** The steps of a JSON pointer (RFC 6901): "/a~1b/0" is ["a/b", "0"]. */
export function parsePointer(pointer) {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new SyntaxError(`not a pointer: ${pointer}`);
  return pointer
    .slice(1)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer of some steps. */
export function formatPointer(steps) {
  return steps.map(step => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** What a pointer points at; undefined when it points at nothing. */
export function lookUp(document, pointer) {
  let value = document;
  for (const step of parsePointer(pointer)) {
    if (value === null || typeof value !== 'object') return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(step)) return undefined;
    if (!Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

// tests
parsePointer('foo') // throws SyntaxError
formatPointer(['a/b', 'm~n']) // '/a~1b/m~0n'
parsePointer(formatPointer(['~1', '~0', '/~'])) // ['~1', '~0', '/~']
// oracle
steps = () => many(0, 3, () => text('a/~01', 0, 3))
formatPointer(steps())
parsePointer(pick('/', '') + many(0, 4, () => pick('a', '/', '~0', '~1', '~01')).join(''))
lookUp({ a: [1, { b: 2 }], '~1': 3, '/': 4 }, pick('/a/0', '/a/1/b', '/~01', '/~1', '/a/2', '', '/a/00'))
// faults
// 3 wrong comparison operator: `===` ► `!==`
// 4 wrong function or word: `startsWith` ► `endsWith`
// 8 wrong order of calls: `1', '/').replaceAll('~0', '~` ► `0', '~').replaceAll('~1', '/`
// 13 off by one: `~0` ► `~-1`
