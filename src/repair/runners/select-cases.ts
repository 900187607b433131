/** Selects cases of a test command by their names: those that fail, or all others. Pure but for what it reads of the project. */
import { maxNames, positionals } from '../../ecosystems/shared/select.ts';
import { selectWords } from '../../verify/early-tests.ts';
import type { RunnerContext } from './runner-context.ts';
import type { CaseResult } from './test-runner.ts';

/** How a runner takes a pattern of names: to run only these cases, and to run all others. */
interface NameOptions {
  readonly only: (pattern: string) => readonly string[];
  readonly others: (pattern: string) => readonly string[];
}

const byTitle: NameOptions = {
  only: pattern => ['-t', pattern],
  others: pattern => ['-t', `^(?!${pattern.slice(1)})`],
};
const options: Readonly<Record<string, NameOptions>> = {
  node: {
    only: pattern => [`--test-name-pattern=${pattern}`],
    others: pattern => [`--test-skip-pattern=${pattern}`],
  },
  vitest: byTitle,
  jest: byTitle,
  mocha: {
    only: pattern => ['--grep', pattern],
    others: pattern => ['--grep', pattern, '--invert'],
  },
};

/** Matches the titles of these cases, with those of their suites in front. */
function patternOf(failed: readonly CaseResult[]): string {
  const titles = failed.map(({ id, file }) => {
    const parts = id.split(' > ').filter(part => part !== file && !/\.[cm]?[jt]sx?$/.test(part));
    return parts.join(' ').split(/\s+/).map(escapeWord).join('\\s+');
  });
  return `^\\s*(?:${titles.join('|')})$`;
}

// the runner may be older than `RegExp.escape`, whose escapes not every flag of a runner takes
const escapeWord = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * The words that run the failing cases, the fastest first: whoever uses them has to see that the same cases fail. Empty if
 * nothing can be selected.
 */
export async function selectFailing(
  context: Pick<RunnerContext, 'files' | 'text'>,
  words: readonly string[],
  failed: readonly CaseResult[],
): Promise<readonly (readonly string[])[]> {
  if (failed.length > maxNames) return [];
  const files = [...new Set(failed.map(c => c.file))].filter(file => file !== '');
  const paths = await context.files();
  const scope = { changed: [], failing: files, failures: failed.map(c => c.id), paths };
  const inFiles =
    files.length === 0 ? undefined : await selectWords(words, { ...scope, read: context.text });
  const named = options[words[0] ?? ''];
  if (named === undefined)
    return [selectPython(words, failed) ?? inFiles].filter(w => w !== undefined);
  const selected = [...(inFiles ?? words)];
  const at = words[0] === 'node' ? selected.indexOf('--test') + 1 : selected.length;
  const only = selected.toSpliced(at, 0, ...named.only(patternOf(failed)));
  // without a process for each file, a run of node:test takes a third of the time
  return words[0] === 'node' ? [only.toSpliced(at, 0, '--test-isolation=none'), only] : [only];
}

/** The words that run all other cases; undefined if the runner has no option for that. */
export function selectOthers(
  words: readonly string[],
  failed: readonly CaseResult[],
): readonly string[] | undefined {
  const named = options[words[0] ?? ''];
  if (named === undefined || failed.length > maxNames) return undefined;
  const at = words[0] === 'node' ? words.indexOf('--test') + 1 : words.length;
  return words.toSpliced(at, 0, ...named.others(patternOf(failed)));
}

/** pytest takes the ids of cases, and unittest a pattern of class and method. */
function selectPython(
  words: readonly string[],
  failed: readonly CaseResult[],
): readonly string[] | undefined {
  const ids = failed.map(c => c.id);
  const pytest = words.findIndex(word => /^(?:\S*\/)?(?:pytest|py\.test)$/.test(word));
  if (pytest >= 0) {
    const { flags } = positionals(words.slice(pytest + 1), /^-[kmnpcoW]$/);
    return ids.every(id => id.includes('::'))
      ? [...words.slice(0, pytest + 1), ...flags, ...ids]
      : undefined;
  }
  if (!words.includes('unittest')) return undefined;
  const patterns = ids.flatMap(id => {
    const [, name, inside = ''] = /^(\w+) \(([\w.]+)\)/.exec(id) ?? [];
    const owner = inside.replace(new RegExp(`\\.${name}$`), '').replace(/^.*\./, '');
    return name === undefined ? [] : [`*.${owner}.${name}`];
  });
  return patterns.length < ids.length ? undefined : [...words, ...patterns.flatMap(p => ['-k', p])];
}

/** The names of the functions of Python that are these cases. */
export const listFunctions = (failed: readonly CaseResult[]): readonly string[] =>
  failed.flatMap(({ id }) => /^(\w+) \(/.exec(id)?.[1] ?? /::(\w+)(?:\[.*)?$/s.exec(id)?.[1] ?? []);
