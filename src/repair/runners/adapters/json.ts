/** Adapter for vitest, jest and mocha through their JSON report: cold, or warm for vitest and jest. Where the warm runner records no lines, they come from one run with hooks. */
import { type PlainCommand, shellLine } from '../../../ecosystems/commands/parse-command.ts';
import { shell } from '../../../process/shell.ts';
import { parseCaseCoverage } from '../channel.ts';
import { coldFurther, coldLimits, openCold } from '../cold.ts';
import { type FirstRun, type Stop, stopAt } from '../obstacles.ts';
import {
  joinProgram,
  type RunnerContext,
  type RunnerView,
  readRoot,
  runnerFolder,
} from '../runner-context.ts';
import { loadFailure, parseRunnerReport } from '../runner-report.ts';
import {
  type CaseResult,
  type Coverage,
  type Job,
  outOfTime,
  type RunnerAdapter,
} from '../test-runner.ts';
import { type JsonRunner, keptWords, linesParts, runners } from './json-runners.ts';
import { openWarmJson } from './warm-json.ts';

/** A process with its transforms takes about a second. */
const maxCandidates = 300;
/** Time limit of all tests without a change; if they do not end, `fileMs` is the limit of each file. */
const firstMs = 90_000;
/** Processor time of a process in the first try of that run: a loop is seen sooner, and a long suite runs again. */
const firstCpuSeconds = 30;
const fileMs = 20_000;
const fileCpuSeconds = 6;
/** The assumed duration of the tests if some of them never end. */
const shortMs = 500;
const maxFiles = 20;
const reportPath = `${runnerFolder}/report.json`;
const linesPath = `${runnerFolder}/lines.jsonl`;

interface Project {
  readonly context: RunnerContext;
  readonly runner: JsonRunner;
  /** The assignments in front of the project's command. */
  readonly env: readonly string[];
  /** The words of the project's command, without the options that change the report. */
  readonly words: readonly string[];
  /** The root folder of the copy, as programs in it see it. */
  readonly root: string;
  /** Test files, by path. */
  readonly tests: readonly string[];
}

/** Runs the tests once without a change; undefined for another command, or if there is no report. */
export async function openJson(
  context: RunnerContext,
  plain: PlainCommand,
): Promise<RunnerAdapter | Stop | undefined> {
  const runner = runners.find(r => r.program === plain.words[0]);
  if (runner === undefined) return undefined;
  const view = await context.open();
  try {
    const root = await readRoot(view, fileMs);
    const tests = (await context.files()).filter(
      p => context.isTest(p) && /\.[cm]?[jt]sx?$/.test(p),
    );
    const words = keptWords(runner, plain.words);
    const project = { context, runner, env: plain.env, words, root, tests };
    await view.place(new Map([[`${runnerFolder}/.keep`, '']]));
    const whole = { words: [], timeoutMs: firstMs };
    const [short, configuration] = await Promise.all([
      runOnce(project, view, { ...whole, cpuSeconds: firstCpuSeconds }),
      readConfiguration(project),
    ]);
    if (short.killed) {
      const endless = await openWarm({ project, view, first: short, configuration });
      if (typeof endless !== 'string') return endless;
    }
    const first = short.killed ? await runOnce(project, view, whole) : short;
    const stop = first.late ? undefined : await stopAt(context, first);
    if (stop !== undefined) return stop;
    if (first.cases.length === 0 && !first.late) return undefined;
    const run = { project, view, first, configuration };
    const warm = await openWarm(run);
    if (typeof warm !== 'string')
      return warm.coverage.length > 0
        ? warm
        : { ...warm, coverage: await measureCoverage(run, warm.base) };
    if (warm !== '')
      context.log(`Repair: each candidate takes a process of ${runner.program}, because ${warm}.`);
    return await openProcesses(run);
  } finally {
    view.close();
  }
}

interface RealRun {
  readonly project: Project;
  /** The copy of the run, in which the next one can run, too. */
  readonly view: RunnerView;
  readonly first: Awaited<ReturnType<typeof runOnce>>;
  readonly configuration: Configuration;
}

/** What the runner printed as its configuration. */
interface Configuration {
  readonly text: string;
  /** The root folder of the copy in which it did. */
  readonly from: string;
}

/** Opens the runner so that it stays. Otherwise says why it cannot; empty if no way is known. */
async function openWarm({ project, first, configuration }: RealRun) {
  const { context, runner, env, tests } = project;
  if (runner.warm === undefined) return '';
  if (context.build !== undefined) return 'a build runs before its tests';
  const words = [...project.words, ...runner.report(reportPath)].slice(1);
  return openWarmJson(context, {
    program: runner.program,
    env,
    ways: runner.warm,
    open: { words, configuration: configuration.text, from: configuration.from },
    first: first.late ? undefined : first.cases,
    tests: first.late ? tests : [...new Set(first.cases.map(c => c.file))],
  });
}

/** Runs each candidate in a process of its own. */
async function openProcesses(run: RealRun): Promise<RunnerAdapter | undefined> {
  const { project, view, first } = run;
  const base = first.late ? await runByFile(project, view) : first.cases;
  if (base.length === 0) return undefined;
  return {
    name: `${project.runner.program}, a process for each candidate`,
    base,
    coverage: await measureCoverage(run, base),
    maxCandidates,
    further: coldFurther,
    open: () => openCandidates(project, first.late ? shortMs : first.milliseconds),
    close: () => {},
  };
}

/** The lines of one run with hooks; none if the tests never end. */
async function measureCoverage(
  { project, view, first, configuration }: RealRun,
  base: readonly CaseResult[],
): Promise<readonly Coverage[]> {
  const lines = first.late ? [] : await measureLines(project, view, configuration);
  const failed = new Set(base.filter(c => c.status === 'failed').map(c => c.id));
  // without lines of a failing case, the lines of the others mislead
  const isWhole = failed.size === 0 || lines.some(l => l.id !== undefined && failed.has(l.id));
  return isWhole ? lines : [];
}

/** A shell line that prefers the programs of the project to those of the machine. */
function buildCommandLine(project: Project, words: readonly string[], cpuSeconds = 0): string {
  const command = shellLine({ env: project.env, words });
  const limit = cpuSeconds > 0 ? shell.limited(cpuSeconds) : '';
  // the report of an earlier candidate must not count
  return `${shell.removing(reportPath)}${limit}${shell.withLocalPrograms}${command}`;
}

interface RunLimits {
  readonly words: readonly string[];
  readonly timeoutMs: number;
  readonly cpuSeconds?: number;
}

async function runOnce(
  project: Project,
  view: RunnerView,
  { words, timeoutMs, cpuSeconds }: RunLimits,
): Promise<FirstRun & { late: boolean; killed: boolean; milliseconds: number }> {
  const { context, runner } = project;
  const line = buildCommandLine(
    project,
    [...project.words, ...runner.report(reportPath), ...words],
    cpuSeconds,
  );
  const end = await view.run(line, Math.min(timeoutMs, context.testTimeoutMs));
  const reported = parseCases(project, view, end.output);
  const killed = cpuSeconds !== undefined && wasKilled(end, reported);
  const late = end.limit === 'time' || killed;
  const cases = late ? [] : reported;
  const loads = !late && cases.length === 0 && end.exitCode !== 0;
  return {
    cases: loads ? loadFailure(end.output, project) : cases,
    output: end.output,
    late,
    killed,
    milliseconds: end.durationMs,
  };
}

/** What the shell adds to the number of a signal, and the signals behind a limit of processor time: SIGKILL, SIGXCPU. */
const killedCodes = new Set([128 + 9, 128 + 24]);

/** True if a limit of processor time ended the runner, or a worker of vitest, whose file then fails without a message. */
export function wasKilled(
  { exitCode }: { readonly exitCode: number | undefined },
  cases: readonly CaseResult[],
): boolean {
  if (cases.length === 0) return exitCode === undefined || killedCodes.has(exitCode);
  return cases.some(c => c.id === c.file && c.status === 'failed' && c.message === '');
}

function parseCases({ root }: Project, view: RunnerView, output: string): readonly CaseResult[] {
  return parseRunnerReport(view.read(reportPath) ?? output, root);
}

/** Runs each test file alone, for a run that never ends. A file that does not end is a failing case. */
async function runByFile(project: Project, view: RunnerView): Promise<readonly CaseResult[]> {
  const cases: CaseResult[] = [];
  for (const file of project.tests.slice(0, maxFiles)) {
    const once = { words: only(project, [file]), timeoutMs: fileMs, cpuSeconds: fileCpuSeconds };
    const run = await runOnce(project, view, once);
    const own = run.cases.filter(c => c.file === file);
    if (own.some(c => c.id !== file)) cases.push(...own);
    else cases.push({ id: file, file, status: 'failed', message: outOfTime, frames: [] });
  }
  return cases;
}

/** Runs the tests once more with hooks around each case; no lines if the hooks do not work. */
async function measureLines(
  project: Project,
  view: RunnerView,
  configuration: Configuration,
): Promise<readonly Coverage[]> {
  const { context, runner } = project;
  const lines = joinProgram(context.runner, linesParts);
  const hooks = runner.hooks.map(
    f => [`${runnerFolder}/${f}`, context.runner(`lines/${f}`)] as const,
  );
  await view.place(new Map([[`${runnerFolder}/lines.cjs`, lines], ...hooks]));
  const words = runner.hooked({
    words: project.words,
    folder: runnerFolder,
    configuration: configuration.text,
  });
  const line = buildCommandLine(project, [...words, ...runner.report(reportPath)]);
  await view.run(line, Math.min(firstMs, context.testTimeoutMs));
  return (view.read(linesPath) ?? '').split('\n').flatMap(text => parseCaseCoverage(text) ?? []);
}

/** The configuration that the runner prints, in a copy of its own; empty if it cannot. */
async function readConfiguration(project: Project): Promise<Configuration> {
  const { context, runner } = project;
  if (runner.showConfiguration === undefined) return { text: '', from: '' };
  const view = await context.open();
  try {
    const words = [...project.words, ...runner.showConfiguration];
    const from = await readRoot(view, fileMs);
    return { text: (await view.run(buildCommandLine(project, words), fileMs)).output, from };
  } finally {
    view.close();
  }
}

/** Opens a runner for candidates; `milliseconds` is the duration of the tests without a change. */
async function openCandidates(project: Project, milliseconds: number) {
  const { context, runner } = project;
  const view = await context.open();
  await view.place(new Map([[`${runnerFolder}/.keep`, '']]));
  const limits = coldLimits(milliseconds);
  return openCold({
    context,
    view,
    timeoutMs: Math.min(limits.timeoutMs, context.testTimeoutMs),
    line: (tests, job) =>
      buildCommandLine(
        project,
        [
          ...project.words,
          ...runner.report(reportPath),
          ...only(project, tests),
          ...bail(job, runner),
        ],
        limits.cpuSeconds,
      ),
    parse: ({ output }) => parseCases(project, view, output),
  });
}

const only = ({ runner, tests: all }: Project, tests: readonly string[] | undefined) =>
  tests === undefined ? [] : runner.only(tests, all);
const bail = (job: Job, runner: JsonRunner) => (job.bail ? runner.bail : []);
