/** Finds the test files of cases that ava names by them. Pure. */

const mark = ' › ';

/**
 * Finds the test file at the beginning of a name, as ava writes it: `price › adds` is a case of `test/price.test.js`,
 * unless another test file could have this name. ava leaves out the folders that all its test files have in common.
 */
export function openTitleFiles(tests: readonly string[]): (name: string) => string | undefined {
  // null for the name of several files
  const named = new Map<string, string | null>();
  for (const test of tests) {
    const parts = test.split('/').filter(part => part !== '__tests__');
    const file = (parts.pop() ?? '')
      .replace(/\.(?:spec|test)\./, '.')
      .replace(/test-/, '')
      .replace(/\.\w+$/, '');
    for (let at = 0; at <= parts.length; at++) {
      const name = [...parts.slice(at), file].join(mark);
      named.set(name, named.has(name) ? null : test);
    }
  }
  return name => {
    const parts = name.split(mark);
    const ends = parts.map((_, i) => parts.slice(0, i).join(mark)).reverse();
    return ends.map(end => named.get(end)).find(file => file !== undefined) ?? undefined;
  };
}
