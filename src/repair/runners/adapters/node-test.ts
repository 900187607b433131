/** Adapter for node:test: a warm worker with a fresh module graph for each candidate, if it agrees with the real run. */
import { parseJson } from '../../../base/schema-issue.ts';
import { type PlainCommand, shellLine } from '../../../ecosystems/commands/parse-command.ts';
import { type NodeCommand, parseNodeTest } from '../../../ecosystems/javascript/commands.ts';
import { shell } from '../../../process/shell.ts';
import {
  agree,
  firstLimits,
  isLate,
  limitsFrom,
  lostByReal,
  openBaseRun,
  warmFurther,
  wasLate,
  whyNotWarm,
  withTimes,
} from '../agree.ts';
import { openChannel, parseCase } from '../channel.ts';
import { coldFurther, openCold } from '../cold.ts';
import { casesToCover, linesByProcess, withLeftOut } from '../coverage.ts';
import { judgeFlaky, runAlone, type Stop, stopAt, withoutCases } from '../obstacles.ts';
import type { RunnerContext, RunnerView } from '../runner-context.ts';
import type { CaseLimits, CaseResult, Job, RunnerAdapter, TestRunner } from '../test-runner.ts';
import { leftBy, readDriverSource, readWorkerSource, withConfirmation } from './shared-thread.ts';

const warmCandidates = 6000;
const coldCandidates = 300;
/** Time limit of the real run. */
const coldMs = 60_000;
/** Time limit of a test that waits; the processor time of its file ends a loop. */
const waitMs = 10_000;
/** Processor time of a file in seconds: in the short first run, and in the full run. */
const shortSeconds = 3;
const fullSeconds = 20;

/** Options that change how the cases run, not which: a warm run, which is compared with the real one, needs none of them. */
const sameCases = /^--test-(concurrency|isolation|force-exit)\b/;

/** Runs the tests once as the project does, then warm; undefined for another command. */
export async function openNodeTest(
  context: RunnerContext,
  plain: PlainCommand,
): Promise<RunnerAdapter | Stop | undefined> {
  const command = parseNodeTest(plain.words);
  if (command === undefined) return undefined;
  const reporter = `data:text/javascript;base64,${Buffer.from(context.runner('node/node-reporter.mjs')).toString('base64')}`;
  const hasTimeout = command.testFlags.some(flag => flag.startsWith('--test-timeout'));
  const line = (files: readonly string[], seconds: number) =>
    `${shell.limited(seconds)}${shellLine({
      env: plain.env,
      words: [
        'node',
        ...command.flags,
        '--test',
        ...command.testFlags,
        `--test-reporter=${reporter}`,
        hasTimeout ? undefined : `--test-timeout=${waitMs}`,
        ...files,
      ].filter(item => item !== undefined),
    })}`;
  const view = await context.open();
  const limitMs = Math.min(coldMs, context.testTimeoutMs);
  const runOnce = async (seconds: number): Promise<NodeRun> => {
    const { output } = await view.run(line(command.files, seconds), limitMs);
    const first = parseLines(output);
    const files = listFiles(output, first);
    return { command, first, output, files, trial: undefined, openCandidates, flaky: new Set() };
  };
  const openCandidates = async () =>
    openCold({
      context,
      view: await context.open(),
      line: tests => line(tests ?? [], fullSeconds),
      parse: ({ output }) => parseLines(output),
      timeoutMs: limitMs,
    });
  const cold = whyCold(command, context);
  const mayWarm = cold === undefined;
  // its process starts while the tests run; the driver for a build has to wait for what the build makes
  const trial =
    mayWarm && !context.emits ? startDriver(context, command)(view, firstLimits) : undefined;
  const short = await runOnce(mayWarm ? shortSeconds : fullSeconds);
  const stop = await stopAt(context, { cases: short.first, output: short.output });
  if (stop !== undefined) {
    trial?.close();
    view.close();
    return stop;
  }
  const warm = mayWarm ? await openWarm(context, view, { ...short, trial }) : undefined;
  if (warm !== undefined && 'stop' in warm) view.close();
  if (warm !== undefined && !('slower' in warm)) return warm;
  // the short first run may have been the reason why they disagree
  const whole = await runOnce(fullSeconds);
  const judged = judgeFlaky(short.first, whole.first);
  if ('stop' in judged || whole.first.length === 0) {
    view.close();
    return 'stop' in judged ? judged : undefined;
  }
  const { flaky } = judged;
  const later = mayWarm ? await openWarm(context, view, { ...whole, flaky }) : undefined;
  if (later !== undefined && !('slower' in later)) return later;
  context.log(`Repair: each candidate takes a process, because ${later?.slower ?? cold}.`);
  return {
    name: 'node:test, a process for each candidate',
    base: whole.first,
    flaky,
    coverage: await linesByProcess(context, {
      view,
      cases: whole.first,
      line: line(command.files, fullSeconds),
      timeoutMs: limitMs,
    }),
    maxCandidates: coldCandidates,
    further: coldFurther,
    open: openCandidates,
    close: () => view.close(),
  };
}

/** Why the tests cannot run warm, as far as the command shows; undefined if they may. */
function whyCold({ testFlags }: NodeCommand, { build, emits }: RunnerContext): string | undefined {
  if (build !== undefined && !emits) return 'a build runs before its tests';
  const other = testFlags.find(flag => flag.startsWith('-') && !sameCases.test(flag));
  return other === undefined ? undefined : `the command has the option ${other}`;
}

function parseLines(output: string): readonly CaseResult[] {
  return output.split('\n').flatMap(l => {
    const found = l.startsWith('photon-case ')
      ? parseCase(l.slice('photon-case '.length))
      : undefined;
    return found === undefined ? [] : [found as CaseResult];
  });
}

/** Test files, including those that never ended. */
function listFiles(output: string, cases: readonly CaseResult[]): readonly string[] {
  const named = output.split('\n').flatMap(l => (l.startsWith('photon-file ') ? [fileIn(l)] : []));
  return [...new Set([...cases.map(c => c.file), ...named])].filter(f => f !== '').sort();
}

function fileIn(line: string): string {
  const path = parseJson(line.slice('photon-file '.length));
  return typeof path === 'string' ? path : '';
}

interface NodeRun {
  readonly command: NodeCommand;
  readonly files: readonly string[];
  readonly first: readonly CaseResult[];
  readonly output: string;
  /** Cases that ended otherwise in an earlier run. */
  readonly flaky: ReadonlySet<string>;
  /** A driver in the view of the run; undefined to start one. */
  readonly trial: TestRunner | undefined;
  /** Opens a runner with a process for each candidate. */
  readonly openCandidates: () => Promise<TestRunner>;
}

/** A job that records the lines of these cases. */
function linesOnly(tests: readonly string[], only: readonly string[]): Job {
  return { files: {}, stages: [{ tests, only }], bail: false, coverage: true };
}

/**
 * Starts drivers in copies. `expected` is what the tests of the base leave changed in their thread. A candidate that leaves
 * more ends the thread; without it, none does.
 */
function startDriver(
  { emits, runner }: RunnerContext,
  { flags }: NodeCommand,
): (view: RunnerView, limits: CaseLimits, expected?: readonly string[]) => TestRunner {
  const driver = [
    readDriverSource(runner),
    emits === undefined ? undefined : runner('node/node-compile.cjs'),
  ].filter(item => item !== undefined);
  return (view, limits, expected) =>
    openChannel({
      view,
      argv: ['node', '-e', driver.join('\n')],
      open: { worker: readWorkerSource(runner), flags, configs: emits, expected },
      limits,
    });
}

/** Opens the warm worker; `slower` if it does not see the same cases with the same results. */
async function openWarm(
  context: RunnerContext,
  view: RunnerView,
  { command, files, first, flaky: known, openCandidates, trial: started }: NodeRun,
): Promise<RunnerAdapter | Stop | { readonly slower: string }> {
  const { emits } = context;
  const open = startDriver(context, command);
  const openBuilt = async () => {
    const built = await context.open();
    if (emits !== undefined) await built.run(':', context.testTimeoutMs);
    return built;
  };
  const whole = { files: {}, stages: [{ tests: files, only: null }], bail: false };
  // the driver replaces what the build made
  const trial = started ?? open(emits === undefined ? view : await openBuilt(), firstLimits);
  const base = openBaseRun(trial);
  const only = casesToCover(first);
  const covered = only === undefined ? undefined : await trial.run(linesOnly(files, only));
  const seen = await base({ ...whole, coverage: covered === undefined });
  // once more without coverage, because the first run loads modules that stay loaded
  const hung = wasLate(seen);
  const again = hung || covered !== undefined ? seen : await base({ ...whole, coverage: false });
  const judged = hung ? { flaky: known } : judgeFlaky(seen.cases, again.cases);
  const alone =
    'stop' in judged || hung ? { ...judged, spent: {} } : await runAlone(trial, again.cases);
  trial.close();
  if ('stop' in judged) return judged;
  if ('stop' in alone) return alone;
  const flaky = new Set([...known, ...judged.flaky, ...alone.flaky]);
  const ended = new Set(first.filter(c => c.status === 'passed').map(c => c.id));
  if (seen.cases.some(c => isLate(c) && ended.has(c.id)))
    return { slower: whyNotWarm(first, seen) };
  // a loop in the real run hides the results of all later cases
  const real = withoutCases(hung ? seen.cases : first, flaky);
  for (const run of [seen, again]) {
    const cases = withoutCases(run.cases, flaky);
    if (!agree(real, cases) && !lostByReal(real, cases))
      return { slower: whyNotWarm(real, { ...run, cases }) };
  }
  const limits = limitsFrom(withTimes(again, alone.spent));
  const expected = leftBy([seen, again, covered]);
  return {
    name:
      emits === undefined
        ? 'node:test, warm'
        : 'node:test, warm, each TypeScript file compiled alone',
    base: seen.cases,
    flaky,
    coverage: withLeftOut((covered ?? seen).coverage, seen.cases, only),
    maxCandidates: warmCandidates,
    further: warmFurther,
    open: async () => {
      const runner = open(await openBuilt(), limits, expected);
      return emits === undefined ? runner : withConfirmation(runner, openCandidates);
    },
    close: () => view.close(),
  };
}
