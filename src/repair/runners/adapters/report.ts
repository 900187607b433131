/** Adapter for any test command that reports or prints its cases, and for plain scripts: one whole run for each candidate. */
import { globTest } from '../../../base/globs.ts';
import { plainCommand, shellLine } from '../../../ecosystems/commands/parse-command.ts';
import type { TestCase } from '../../../ecosystems/shared/test-case.ts';
import { shell } from '../../../process/shell.ts';
import type { CommandEnd } from '../../../sandbox/sandbox.ts';
import { readCases, readOutput } from '../../../verify/reports/parse-report.ts';
import { plainText, readSummaries } from '../../../verify/reports/run-summary.ts';
import { coldFurther, coldLimits, openCold } from '../cold.ts';
import { linesByProcess } from '../coverage.ts';
import { isAlike } from '../keep-runners.ts';
import { type Stop, stopAt } from '../obstacles.ts';
import { type RunnerContext, type RunnerView, readRoot } from '../runner-context.ts';
import { framesIn } from '../runner-report.ts';
import type { CaseResult, RunnerAdapter, SourceLine } from '../test-runner.ts';

const maxCandidates = 150;
/** Where the failing files run alone. */
const maxNarrow = 400;

interface Project {
  readonly context: RunnerContext;
  readonly command: string;
  /** The root folder of the copy, as programs in it see it. */
  readonly root: string;
  readonly paths: ReadonlySet<string>;
  /** The test file that a name begins with, as ava writes it. */
  readonly fileOf: (name: string) => string | undefined;
  /** The file of a plain script, whose end is its only case; empty for another command. */
  readonly script: string;
  /** The cases that fail without a change. */
  readonly failing: readonly string[];
  /** A command that runs their files alone; undefined if the whole one runs for each candidate. */
  readonly narrow?: string;
}

/**
 * The command with the failing files in place of all test files that it names; undefined if it does not show the same failing
 * cases, or if no other test file is left out.
 */
async function findNarrow(
  project: Project,
  base: readonly CaseResult[],
): Promise<string | undefined> {
  const { context, command, paths } = project;
  const plain = plainCommand(command, await context.text('package.json'));
  const failed = base.filter(c => c.status === 'failed');
  const files = [...new Set(failed.map(c => c.file))];
  const isWhole = base.every(c => files.includes(c.file));
  if (plain === undefined || files.length === 0 || files.includes('') || isWhole) return undefined;
  const tests = [...paths].filter(p => context.isTest(p));
  const [program = '', ...words] = plain.words;
  // behind an option without `=` may be its value
  const isKept = (word: string, i: number) =>
    word.startsWith('-') || /^-[^=]+$/.test(words[i - 1] ?? '') || !namesTests(word, tests);
  const line = shellLine({ ...plain, words: [program, ...words.filter(isKept), ...files] });
  // a bound on the coverage of the whole suite ends it with an error, whatever its cases say; all of it runs for what passes them
  const narrow = `${shell.withLocalPrograms}${line} || exit 0`;
  // as a candidate finds it: the whole command may have left in its view what this one lacks
  const view = await context.open();
  try {
    const end = await view.run(
      buildCommandLine(project, { command: narrow }),
      context.testTimeoutMs,
    );
    const cases = await collectCases(project, view, end);
    const now = new Map(cases.filter(c => c.status === 'failed').map(c => [c.id, c]));
    const isSame = now.size === failed.length && failed.every(c => isAlike(c, now.get(c.id)));
    // a program may ignore the files that it is given
    const isNarrow = cases.every(c => files.includes(c.file));
    return isSame && isNarrow ? narrow : undefined;
  } finally {
    view.close();
  }
}

/** True for a test file, a folder of test files, and a pattern of them. */
function namesTests(word: string, tests: readonly string[]): boolean {
  const path = word.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '');
  const fits = globTest(path);
  return tests.some(test => test.startsWith(`${path}/`) || fits(test));
}

/** Runs the command once without a change; undefined if the result of each case is unknown. */
export async function openReport(
  context: RunnerContext,
  script = '',
): Promise<RunnerAdapter | Stop | undefined> {
  const command = context.testCommand;
  if (command === undefined) return undefined;
  const view = await context.open();
  try {
    const root = await readRoot(view, context.testTimeoutMs);
    const paths = await context.files();
    const fileOf = openTitleFiles(paths.filter(p => context.isTest(p)));
    const found = { context, command, root, paths: new Set(paths), fileOf, script };
    const project: Project = { ...found, failing: [] };
    const end = await view.run(buildCommandLine(project), context.testTimeoutMs);
    const base = await collectCases(project, view, end);
    const stop =
      end.exitCode === 0 ? undefined : await stopAt(context, { cases: base, output: end.output });
    if (stop !== undefined) return stop;
    // a failure outside the cases could not be seen to disappear
    const explained = end.exitCode === 0 || base.some(c => c.status === 'failed');
    if (end.limit !== undefined || base.length === 0 || !explained) return undefined;
    const failing = base.filter(c => c.status === 'failed').map(c => c.id);
    const known = { ...project, failing };
    const narrow = await findNarrow(known, base);
    return {
      name:
        narrow === undefined
          ? 'the whole test command for each candidate'
          : 'the failing test files for each candidate, and the whole test command for what passes them',
      base,
      coverage: await linesByProcess(context, {
        view,
        cases: base,
        line: buildCommandLine(project),
        timeoutMs: context.testTimeoutMs,
      }),
      maxCandidates: narrow === undefined ? maxCandidates : maxNarrow,
      further: coldFurther,
      open: () => openCandidates({ ...known, narrow }, end.durationMs),
      close: () => {},
    };
  } finally {
    view.close();
  }
}

function buildCommandLine(
  { context, command: whole }: Project,
  {
    command = whole,
    cpuSeconds = 0,
  }: { readonly command?: string; readonly cpuSeconds?: number } = {},
): string {
  const limit = cpuSeconds > 0 ? shell.limited(cpuSeconds) : '';
  // the report of an earlier candidate must not count
  const clean = context.report === '' ? '' : shell.removing(context.report);
  return `${clean}${limit}${command}`;
}

async function openCandidates(project: Project, milliseconds: number) {
  const { context } = project;
  const view = await context.open();
  const limits = coldLimits(milliseconds);
  return openCold({
    context,
    view,
    timeoutMs: Math.min(limits.timeoutMs, context.testTimeoutMs),
    // the first stage of several holds the failing cases alone
    line: (tests, { stages }) =>
      buildCommandLine(project, {
        cpuSeconds: limits.cpuSeconds,
        command: stages.length > 1 && tests === stages[0]?.tests ? project.narrow : undefined,
      }),
    parse: candidate => collectCases(project, view, candidate),
  });
}

async function collectCases(
  project: Project,
  view: RunnerView,
  end: EndOfRun,
): Promise<readonly CaseResult[]> {
  const { context, failing, script } = project;
  const output = plainText(end.output);
  const reported = await readCases(
    context.report === '' ? end.output : (view.read(context.report) ?? ''),
  );
  const printed =
    context.report === '' && reported === undefined ? readFailures(output, failing) : [];
  const cases = [...(reported ?? printed)];
  if (cases.length === 0 && script !== '') {
    const status = end.exitCode === 0 ? 'passed' : 'failed';
    cases.push({ id: script, file: script, status, message: output.slice(-maxBlock) });
  }
  const complete = (c: TestCase) => (c.message === undefined ? withBlock(c, output) : c);
  return cases.map(c => makeCase(c.status === 'failed' ? complete(c) : c, project));
}

type EndOfRun = Pick<CommandEnd, 'exitCode' | 'output'>;

/**
 * The cases of runners that print only those that fail, such as uvu: those that failed before, and one that stands for the
 * number of all, which a candidate must not change. Empty if the failed ones are not all named.
 */
export function readFailures(output: string, failing: readonly string[]): readonly TestCase[] {
  const { failures } = readOutput(output);
  const ran = readSummaries(output).reduce((sum, s) => sum + s.ran, 0);
  if (failures === undefined || ran === 0) return [];
  const passed = [...failing.filter(id => !failures.includes(id)), `number of tests: ${ran}`];
  return [
    ...failures.map((id): TestCase => ({ id, status: 'failed' })),
    ...passed.map((id): TestCase => ({ id, status: 'passed' })),
  ];
}

const maxBlock = 2_000;

/** A failed case with what the runner printed below the last line that is its name: the values and the stack. */
function withBlock(failed: TestCase, output: string): TestCase {
  const name = failed.id.split(' > ').at(-1) ?? '';
  const lines = output.split('\n');
  const isName = (line: string) => line.trim() === name || line.endsWith(` "${name}"`);
  const at = lines.findLastIndex(isName);
  const message = lines
    .slice(at + 1)
    .join('\n')
    .slice(0, maxBlock);
  return at < 0 ? failed : { ...failed, message };
}

/** A case with its places. Its file is the reported one, that of its name, or the first test file on its stack. */
function makeCase({ id, status, message, file }: TestCase, project: Project): CaseResult {
  const { context, root, paths, fileOf } = project;
  const frames = message === undefined ? [] : placesIn(message, project);
  const named = file ?? id.split(' > ')[0] ?? ''.replace(/^file:\/\//, '').replace(`${root}/`, '');
  const own = paths.has(named)
    ? named
    : (fileOf(id) ?? frames.find(f => context.isTest(f.path))?.path);
  const base = { id, file: own ?? '', status };
  return status === 'failed' ? { ...base, message: (message ?? '').slice(0, 1000), frames } : base;
}

/** The places that a message names: absolute below the root, or relative to it (`test_x.py:5: AssertionError`). */
function placesIn(message: string, { root, paths }: Project): readonly SourceLine[] {
  const relative = [...message.matchAll(/^[ \t]*(?:at )?([\w./-]+\.\w+):(\d+)/gm)].flatMap(
    ([, path = '', line]) =>
      paths.has(path.replace(/^\.\//, ''))
        ? [{ path: path.replace(/^\.\//, ''), line: Number(line) }]
        : [],
  );
  // a Python trace is printed with the innermost frame last, other traces with it first
  return [...framesIn(message, root), ...relative.reverse()].filter(f => f.line > 0).slice(0, 20);
}

const mark = ' › ';

/**
 * Finds the test file at the beginning of a name, as ava writes it: `price › adds` is a case of `test/price.test.js`,
 * unless another test file could have this name. ava leaves out the folders that all its test files have in common.
 */
export function openTitleFiles(tests: readonly string[]): (name: string) => string | undefined {
  // undefined for the name of several files
  const named = new Map<string, string | undefined>();
  for (const test of tests) {
    const parts = test.split('/').filter(part => part !== '__tests__');
    const file = (parts.pop() ?? '')
      .replace(/\.(?:spec|test)\./, '.')
      .replace(/test-/, '')
      .replace(/\.\w+$/, '');
    for (let at = 0; at <= parts.length; at++) {
      const name = [...parts.slice(at), file].join(mark);
      named.set(name, named.has(name) ? undefined : test);
    }
  }
  return name => {
    const parts = name.split(mark);
    const ends = parts.map((_, i) => parts.slice(0, i).join(mark)).reverse();
    const known = ends.find(end => named.has(end));
    return known === undefined ? undefined : named.get(known);
  };
}
