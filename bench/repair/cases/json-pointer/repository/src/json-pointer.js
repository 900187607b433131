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
