/** The words that start test runners of JavaScript: the programs of packages, and `node --test`. Pure. */

/** Test runners that a package brings as a program, which launchers and package scripts start by name. */
const names = '(vitest|jest|mocha)';

/** True for the name of such a program. */
export const isPackagedRunner = (name: string) => new RegExp(`^${names}$`).test(name);

/** The file of such a program in the installed packages; the group is its name. */
export const runnerFile = new RegExp(`^(?:\\./)?node_modules/(?:\\.bin/)?${names}(?:/\\S+)?$`);

/** Options of node that take the next word as their value. */
const valued = new Set([
  '--import',
  '--require',
  '-r',
  '--loader',
  '--experimental-loader',
  '--env-file',
  '-C',
  '--conditions',
  '--test-name-pattern',
  '--test-skip-pattern',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-concurrency',
  '--test-isolation',
  '--test-timeout',
  '--test-shard',
]);

export interface NodeCommand {
  readonly flags: readonly string[];
  /** Flags of the test runner. */
  readonly testFlags: readonly string[];
  readonly files: readonly string[];
}

/** Parses `node --test …` without its reporters; undefined for another command. */
export function parseNodeTest(words: readonly string[]): NodeCommand | undefined {
  if (words[0] !== 'node' || !words.includes('--test')) return undefined;
  const flags: string[] = [];
  const testFlags: string[] = [];
  const files: string[] = [];
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--test' || /^--experimental-test-coverage/.test(word)) continue;
    if (!word.startsWith('-')) {
      files.push(word);
      continue;
    }
    const value = valued.has(word) ? [words[++i] ?? ''] : [];
    if (/^--test-reporter/.test(word)) continue;
    (word.startsWith('--test-') ? testFlags : flags).push(word, ...value);
  }
  return { flags, testFlags, files };
}
