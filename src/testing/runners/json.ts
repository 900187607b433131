/** vitest, jest and mocha by their JSON report: a process for each candidate, or warm; lines from one run with hooks. */

import { parseCoverage } from './channel.ts';
import { coldFurther, coldLimits, openCold } from './cold.ts';
import { type JsonRunner, runners } from './json-runners.ts';
import { type PlainCommand, shellLine } from './parse-command.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import { loadFailure, parseRunnerReport } from './runner-report.ts';
import type { CaseResult, Coverage, Job, RunnerAdapter } from './test-runner.ts';
import { outOfTime } from './test-runner.ts';
import { openWarmVitest } from './vitest.ts';

/** A process and its transforms take about a second. */
const maxCandidates = 300;
/** The tests as they stand are waited for this long; a file of its own, when they did not end, this long. */
const firstMs = 90_000;
const fileMs = 20_000;
const fileCpuSeconds = 6;
/** What the tests are taken to need when some of them never end. */
const shortMs = 500;
const maxFiles = 20;
/** Folder in a copy for what belongs to no project: report, hooks, lines. */
const folder = '.photon-bed';
const reportPath = `${folder}/report.json`;
const linesPath = `${folder}/lines.jsonl`;

interface Project {
  readonly context: RunnerContext;
  readonly runner: JsonRunner;
  readonly plain: PlainCommand;
  /** The copy's root folder, as programs in it see it. */
  readonly root: string;
  /** Test files, by the rules of paths. */
  readonly tests: readonly string[];
}

/** Runs the tests once as they stand; null when the command is none of these or there is no report. */
export async function openJson(
  context: RunnerContext,
  plain: PlainCommand,
): Promise<RunnerAdapter | null> {
  const runner = runners.find(r => r.program === plain.words[0]);
  if (runner === undefined) return null;
  const view = await context.open();
  try {
    const root = (await view.run('pwd', fileMs)).output.trim();
    const tests = (await context.files()).filter(
      p => context.isTest(p) && /\.[cm]?[jt]sx?$/.test(p),
    );
    const project = { context, runner, plain, root, tests };
    await view.place(new Map([[`${folder}/.keep`, '']]));
    const first = await runOnce(project, view, { words: [], timeoutMs: firstMs });
    const base = first.late ? await runByFile(project, view) : first.cases;
    if (base.length === 0) return null;
    const lines = first.late ? [] : await linesOf(project, view);
    const failed = new Set(base.filter(c => c.status === 'failed').map(c => c.id));
    // where no failing case could be hooked, lines of the others lead astray
    const coverage = lines.some(l => l.id !== null && failed.has(l.id)) ? lines : [];
    const cold = {
      name: `${runner.program}, a process for each candidate`,
      base,
      maxCandidates: maxCandidates,
      further: coldFurther,
      open: () => openCandidates(project, first.late ? shortMs : first.milliseconds),
      close: () => {},
    };
    const warm =
      runner.warm && !first.late
        ? await openWarmVitest(context, {
            env: plain.env,
            words: [...ownWords(project), ...runner.report(reportPath)].slice(1),
            first: base,
          })
        : null;
    return { ...(warm ?? cold), coverage };
  } finally {
    view.close();
  }
}

/** The project's own words, without those that decide where results go. */
function ownWords({ plain, runner }: Project): readonly string[] {
  const words: string[] = [];
  for (let i = 0; i < plain.words.length; i++) {
    const word = plain.words[i] ?? '';
    const [name = ''] = word.split('=');
    if (!runner.dropped.test(name)) words.push(word);
    // its value is a word of its own
    else if (runner.valued.test(word)) i += 1;
  }
  return words;
}

/** A shell line, with the programs of the project in front of those of the machine. */
function lineOf(project: Project, words: readonly string[], cpuSeconds = 0): string {
  const command = shellLine({ env: project.plain.env, words });
  const limit = cpuSeconds > 0 ? `ulimit -t ${cpuSeconds}; ` : '';
  // a report of the candidate before is none of this one
  return `rm -f ${reportPath}; ${limit}PATH="$PWD/node_modules/.bin:$PATH" ${command}`;
}

interface Once {
  readonly words: readonly string[];
  readonly timeoutMs: number;
  readonly cpuSeconds?: number;
}

async function runOnce(
  project: Project,
  view: RunnerView,
  { words, timeoutMs, cpuSeconds }: Once,
): Promise<{ cases: readonly CaseResult[]; late: boolean; milliseconds: number }> {
  const { context, runner } = project;
  const line = lineOf(
    project,
    [...ownWords(project), ...runner.report(reportPath), ...words],
    cpuSeconds,
  );
  const end = await view.run(line, Math.min(timeoutMs, context.testTimeoutMs));
  const late = end.limit === 'time';
  const cases = late ? [] : casesOf(project, view, end.output);
  const loads = !late && cases.length === 0 && end.exitCode !== 0;
  return {
    cases: loads ? loadFailure(end.output, project) : cases,
    late,
    milliseconds: end.durationMs,
  };
}

function casesOf({ root }: Project, view: RunnerView, output: string): readonly CaseResult[] {
  return parseRunnerReport(view.read(reportPath) ?? output, root);
}

/** When the whole run never ends: each test file alone; one that does not end is a failing case itself. */
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

/** Runs the tests once more with hooks around each case; no lines when they cannot be hooked. */
async function linesOf(project: Project, view: RunnerView): Promise<readonly Coverage[]> {
  const { context, runner } = project;
  const files = ['lines.cjs', ...runner.hooks];
  await view.place(new Map(files.map(f => [`${folder}/${f}`, context.runner(f)])));
  const own = await ownSetup(project, view);
  const words = runner.hooked({ words: ownWords(project), folder, own });
  const line = lineOf(project, [...words, ...runner.report(reportPath)]);
  await view.run(line, Math.min(firstMs, context.testTimeoutMs));
  return (view.read(linesPath) ?? '').split('\n').flatMap(text => parseCoverage(text) ?? []);
}

/** What the runner's own way of asking prints about set-up files; empty when it has none. */
async function ownSetup(project: Project, view: RunnerView): Promise<string> {
  const { runner } = project;
  if (runner.configuration === undefined) return '';
  const words = [...ownWords(project), ...runner.configuration];
  return (await view.run(lineOf(project, words), fileMs)).output;
}

/** A runner for candidates; `milliseconds` is what a run of the tests as they stand takes. */
async function openCandidates(project: Project, milliseconds: number) {
  const { context, runner } = project;
  const view = await context.open();
  await view.place(new Map([[`${folder}/.keep`, '']]));
  const limits = coldLimits(milliseconds);
  return openCold({
    context,
    view,
    timeoutMs: Math.min(limits.timeoutMs, context.testTimeoutMs),
    line: (tests, job) =>
      lineOf(
        project,
        [
          ...ownWords(project),
          ...runner.report(reportPath),
          ...only(project, tests),
          ...bail(job, runner),
        ],
        limits.cpuSeconds,
      ),
    parse: output => casesOf(project, view, output),
  });
}

const only = ({ runner, tests: all }: Project, tests: readonly string[] | null) =>
  tests === null ? [] : runner.only(tests, all);
const bail = (job: Job, runner: JsonRunner) => (job.bail ? runner.bail : []);
