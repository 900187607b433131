/** Any test command that tells its cases, by a JUnit or JSON report or as TAP: a whole run a candidate. */
import { coldFurther, coldLimits, openCold } from './cold.ts';
import { quoted } from './parse-command.ts';
import type { ReportedCase, RunnerContext, RunnerView } from './runner-context.ts';
import { framesIn } from './runner-report.ts';
import type { CaseResult, RunnerAdapter, SourceLine } from './test-runner.ts';

const maxCandidates = 150;

interface Project {
  readonly context: RunnerContext;
  readonly command: string;
  /** The copy's root folder, as programs in it see it. */
  readonly root: string;
  readonly paths: ReadonlySet<string>;
}

/** Runs the command once as it stands; null when nothing tells how each case ended. */
export async function openReport(context: RunnerContext): Promise<RunnerAdapter | null> {
  const command = context.testCommand;
  if (command === null) return null;
  const view = await context.open();
  try {
    const root = (await view.run('pwd', context.testTimeoutMs)).output.trim();
    const project = { context, command, root, paths: new Set(await context.files()) };
    const end = await view.run(lineOf(project, 0), context.testTimeoutMs);
    const base = await casesOf(project, view, end.output);
    // a failure that no case tells of cannot be seen to be gone
    const told = end.exitCode === 0 || base.some(c => c.status === 'failed');
    if (end.limit !== null || base.length === 0 || !told) return null;
    return {
      name: 'the whole test command for each candidate',
      base,
      coverage: [],
      maxCandidates: maxCandidates,
      further: coldFurther,
      open: () => openCandidates(project, end.durationMs),
      close: () => {},
    };
  } finally {
    view.close();
  }
}

function lineOf({ context, command }: Project, cpuSeconds: number): string {
  const limit = cpuSeconds > 0 ? `ulimit -t ${cpuSeconds}; ` : '';
  // a report of the candidate before is none of this one
  const clean = context.report === '' ? '' : `rm -f ${quoted(context.report)}; `;
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
    line: () => lineOf(project, limits.cpuSeconds),
    parse: output => casesOf(project, view, output),
  });
}

async function casesOf(
  project: Project,
  view: RunnerView,
  output: string,
): Promise<readonly CaseResult[]> {
  const { context } = project;
  const report = context.report === '' ? output : (view.read(context.report) ?? '');
  const cases = (await context.readCases(report)) ?? [];
  return cases.map(c => caseOf(c, project));
}

/** A case with its places; its file is the one that is reported, else the first test on its stack. */
function caseOf({ id, status, message, file }: ReportedCase, project: Project): CaseResult {
  const { context, root, paths } = project;
  const frames = message === undefined ? [] : placesIn(message, project);
  const named = (file ?? '').replace(/^file:\/\//, '').replace(`${root}/`, '');
  const own = paths.has(named) ? named : frames.find(f => context.isTest(f.path))?.path;
  const base = { id, file: own ?? '', status };
  return status === 'failed' ? { ...base, message: (message ?? '').slice(0, 1000), frames } : base;
}

/** Absolute places below the root, and those that are named from it (`test_x.py:5: AssertionError`). */
function placesIn(message: string, { root, paths }: Project): readonly SourceLine[] {
  const relative = [...message.matchAll(/^\s*(?:at )?([\w./-]+\.\w+):(\d+)/gm)].flatMap(
    ([, path = '', line]) =>
      paths.has(path.replace(/^\.\//, ''))
        ? [{ path: path.replace(/^\.\//, ''), line: Number(line) }]
        : [],
  );
  // Python's trace ends with the place that threw, which is the top of others
  return [...framesIn(message, root), ...relative.reverse()].filter(f => f.line > 0).slice(0, 20);
}
