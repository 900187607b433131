/** Selects the tests that are likely to fail with a patch, so that they run before the whole suite. Pure. */
import { plainCommand, shellLine } from '../ecosystems/commands/parse-command.ts';
import { findTestStage } from '../ecosystems/commands/stages.ts';
import { ecosystems } from '../ecosystems/index.ts';
import { type EarlyScope, maxNames, type Selection } from '../ecosystems/shared/select.ts';
import { shell } from '../process/shell.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { listFailures, type TestRun } from './judge/test-run.ts';

/** The project with the patch. */
interface EarlyProject {
  /** Milliseconds from which the suite takes so long that a part of it is worth a run; 5,000 by default. */
  readonly minMs?: number | undefined;
  readonly command: string;
  /** The paths of all files of the base. */
  readonly paths: () => Promise<readonly string[]>;
  /** Text of a file with the patch; undefined if it does not exist. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** A suite that takes less time needs no part that runs before it. */
const minSuiteMs = 5_000;

/** A shell line that runs these tests; undefined if they cannot be selected, or the whole suite takes little time. */
export async function selectEarly(
  before: TestRun,
  changes: readonly FileChange[],
  project: EarlyProject,
): Promise<string | undefined> {
  if (before.run.durationMs < (project.minMs ?? minSuiteMs)) return undefined;
  const tests = await findPlainTests(project);
  if (tests === undefined) return undefined;
  const changed = changes.filter(c => c.after !== undefined).map(c => c.path);
  const paths = [...new Set([...(await project.paths()), ...changed])];
  const { read } = project;
  const failures = before.failures ?? [];
  const scope = { changed, failing: failingIn(before, paths), failures, paths, read };
  const words = await selectWords(tests.words, scope);
  return words === undefined ? undefined : tests.line(words);
}

interface PlainTests {
  /** The words that run the tests, behind package scripts. */
  readonly words: readonly string[];
  /** A shell line that runs other words in their place, with these variables. */
  readonly line: (words: readonly string[], env?: readonly string[]) => string;
}

/** The test command without package scripts; undefined if it needs a shell. */
export async function findPlainTests(
  project: Pick<EarlyProject, 'command' | 'read'>,
): Promise<PlainTests | undefined> {
  const manifest = await project.read('package.json');
  const stage = findTestStage(project.command, manifest);
  const plain = stage === undefined ? undefined : plainCommand(stage.command, manifest);
  if (stage === undefined || plain === undefined) return undefined;
  return {
    words: plain.words,
    line: (words, env = []) => {
      // the programs of the project come first, as in a package script
      const line = `${shell.withLocalPrograms}${shellLine({ ...plain, env: [...env, ...plain.env], words })}`;
      return stage.build === '' ? line : `${stage.build} && ${line}`;
    },
  };
}

/** The words of the command that runs the selection. */
export async function selectWords(words: readonly string[], scope: EarlyScope): Promise<Selection> {
  for (const { selectEarly: select } of ecosystems) {
    const selected = await select?.(words, scope);
    if (selected !== undefined) return selected;
  }
  return undefined;
}

/** The files of the cases that failed, as far as the results name them. */
export function failingIn({ cases, failures }: TestRun, all: readonly string[]): readonly string[] {
  const known = new Set(all);
  const failed = (cases ?? []).filter(c => c.status === 'failed');
  const named = [
    ...failed.flatMap(c => c.file ?? []),
    // `file > suite > name`, or `file::name`
    ...[...failed.map(c => c.id), ...(failures ?? [])].flatMap(id => id.split(/ > |::/)[0] ?? []),
  ];
  const paths = named.map(path => path.replace(/^\.\//, ''));
  return [...new Set(paths)].filter(path => known.has(path)).slice(0, maxNames);
}

/**
 * The cases that show in the early part that the whole suite will fail. A limit or an exit status shows nothing.
 * @param isCompared true if a failure of the base may stay.
 */
export function earlyFailures(
  isCompared: boolean,
  before: TestRun,
  ran: TestRun,
): readonly string[] {
  if (ran.run.limit !== null) return [];
  const failed = listFailures(ran);
  if (failed === undefined) return [];
  if (!isCompared || before.run.passed) return failed;
  const known = listFailures(before);
  return known === undefined ? [] : failed.filter(id => !known.includes(id));
}
