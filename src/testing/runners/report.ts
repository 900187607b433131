/** Adapter for any test command that reports its cases as JUnit XML, jest JSON or TAP: one whole run for each candidate. */

import type { TestCase } from '../../ecosystems/shared/test-case.ts';
import { thisPlatform } from '../../process/this-platform.ts';
import { readCases } from '../../verify/reports/parse-report.ts';
import { coldFurther, coldLimits, openCold } from './cold.ts';
import { type Stop, stopAt } from './obstacles.ts';
import { linesByProcess } from './process-lines.ts';
import { type RunnerContext, type RunnerView, rootOf } from './runner-context.ts';
import { framesIn } from './runner-report.ts';
import type { CaseResult, RunnerAdapter, SourceLine } from './test-runner.ts';
import { openTitleFiles } from './title-files.ts';

const maxCandidates = 150;

interface Project {
  readonly context: RunnerContext;
  readonly command: string;
  /** The root folder of the copy, as programs in it see it. */
  readonly root: string;
  readonly paths: ReadonlySet<string>;
  /** The test file that a name begins with, as ava writes it. */
  readonly fileOf: (name: string) => string | undefined;
}

/** Runs the command once without a change; null if the result of each case is unknown. */
export async function openReport(context: RunnerContext): Promise<RunnerAdapter | Stop | null> {
  const command = context.testCommand;
  if (command === null) return null;
  const view = await context.open();
  try {
    const root = await rootOf(view, context.testTimeoutMs);
    const paths = await context.files();
    const fileOf = openTitleFiles(paths.filter(p => context.isTest(p)));
    const project = { context, command, root, paths: new Set(paths), fileOf };
    const end = await view.run(lineOf(project, 0), context.testTimeoutMs);
    const base = await casesOf(project, view, end.output);
    const stop =
      end.exitCode === 0 ? null : await stopAt(context, { cases: base, output: end.output });
    if (stop !== null) return stop;
    // a failure outside the cases could not be seen to disappear
    const explained = end.exitCode === 0 || base.some(c => c.status === 'failed');
    if (end.limit !== null || base.length === 0 || !explained) return null;
    return {
      name: 'the whole test command for each candidate',
      base,
      coverage: await linesByProcess(context, {
        view,
        cases: base,
        line: lineOf(project, 0),
        timeoutMs: context.testTimeoutMs,
      }),
      maxCandidates,
      further: coldFurther,
      open: () => openCandidates(project, end.durationMs),
      close: () => {},
    };
  } finally {
    view.close();
  }
}

function lineOf({ context, command }: Project, cpuSeconds: number): string {
  const { shell } = thisPlatform;
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
  const cases = (await readCases(report)) ?? [];
  return cases.map(c => caseOf(c, project));
}

/** A case with its places. Its file is the reported one, that of its name, or the first test file on its stack. */
function caseOf({ id, status, message, file }: TestCase, project: Project): CaseResult {
  const { context, root, paths, fileOf } = project;
  const frames = message === undefined ? [] : placesIn(message, project);
  const named = thisPlatform
    .unixPaths(file ?? id.split(' > ')[0] ?? '')
    .replace(/^file:\/\//, '')
    .replace(`${root}/`, '');
  const own = paths.has(named)
    ? named
    : (fileOf(id) ?? frames.find(f => context.isTest(f.path))?.path);
  const base = { id, file: own ?? '', status };
  return status === 'failed' ? { ...base, message: (message ?? '').slice(0, 1000), frames } : base;
}

/** The places that a message names: absolute below the root, or relative to it (`test_x.py:5: AssertionError`). */
function placesIn(text: string, { root, paths }: Project): readonly SourceLine[] {
  const message = thisPlatform.unixPaths(text);
  const relative = [...message.matchAll(/^[ \t]*(?:at )?([\w./-]+\.\w+):(\d+)/gm)].flatMap(
    ([, path = '', line]) =>
      paths.has(path.replace(/^\.\//, ''))
        ? [{ path: path.replace(/^\.\//, ''), line: Number(line) }]
        : [],
  );
  // a Python trace is printed with the innermost frame last, other traces with it first
  return [...framesIn(message, root), ...relative.reverse()].filter(f => f.line > 0).slice(0, 20);
}
