/** node:test: a warm worker with a fresh module graph for each candidate where it agrees with the real run. */

import { agree, type CaseLimits, firstLimits, limitsFrom, warmFurther, wasLate } from './agree.ts';
import { openChannel, parseCase } from './channel.ts';
import { coldFurther, openCold } from './cold.ts';
import { type PlainCommand, shellLine } from './parse-command.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import type { CaseResult, RunnerAdapter, TestRunner } from './test-runner.ts';

const warmCandidates = 6000;
const coldCandidates = 300;
/** The real run is looked at for this long. */
const coldMs = 60_000;
/** Most milliseconds of a test that waits; a loop is ended by the processor time of its file. */
const waitMs = 10_000;
/** Most seconds of processor time of a file: at the first look, and where it is wanted whole. */
const [lookSeconds, wholeSeconds] = [3, 20];

/** Flags of node that take a value as a word of their own. */
const valued =
  /^(--import|--require|-r|--loader|--experimental-loader|--env-file|-C|--conditions|--test-name-pattern|--test-skip-pattern|--test-reporter|--test-reporter-destination|--test-concurrency|--test-timeout|--test-shard)$/;

export interface NodeCommand {
  readonly flags: readonly string[];
  /** Flags of the test runner itself. */
  readonly testFlags: readonly string[];
  readonly files: readonly string[];
}

/** The parts of `node --test …`; null for another command. Reporters of the project are left out. */
export function parseNodeTest({ words }: PlainCommand): NodeCommand | null {
  if (words[0] !== 'node' || !words.includes('--test')) return null;
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
    const value = valued.test(word) ? [words[++i] ?? ''] : [];
    if (/^--test-reporter/.test(word)) continue;
    (word.startsWith('--test-') ? testFlags : flags).push(word, ...value);
  }
  return { flags, testFlags, files };
}

/** Runs the tests once for real, then again warm; null when there is no test. */
export async function openNodeTest(
  context: RunnerContext,
  plain: PlainCommand,
): Promise<RunnerAdapter | null> {
  const command = parseNodeTest(plain);
  if (command === null) return null;
  const reporter = `data:text/javascript;base64,${Buffer.from(context.runner('node-reporter.mjs')).toString('base64')}`;
  const line = (files: readonly string[], seconds: number) =>
    `ulimit -t ${seconds}; ${shellLine({
      env: plain.env,
      words: [
        ...['node', ...command.flags, '--test', ...command.testFlags],
        `--test-reporter=${reporter}`,
        ...(command.testFlags.length > 0 ? [] : [`--test-timeout=${waitMs}`]),
        ...files,
      ],
    })}`;
  const parse = (output: string) => parseLines(output);
  const view = await context.open();
  const look = async (seconds: number): Promise<First> => {
    const limitMs = Math.min(coldMs, context.testTimeoutMs);
    const { output } = await view.run(line(command.files, seconds), limitMs);
    const first = parse(output);
    return { command, first, files: filesOf(output, first) };
  };
  const mayWarm = command.testFlags.length === 0;
  const warm = mayWarm ? await openWarm(context, view, await look(lookSeconds)) : null;
  if (warm !== null) return warm;
  // it may have been the short look that made the difference
  const whole = await look(wholeSeconds);
  return (
    (mayWarm ? await openWarm(context, view, whole) : null) ?? {
      name: 'node:test, a process for each candidate',
      base: whole.first,
      coverage: [],
      maxCandidates: coldCandidates,
      further: coldFurther,
      open: async () =>
        openCold({
          context,
          view: await context.open(),
          line: tests => line(tests ?? [], wholeSeconds),
          parse,
          timeoutMs: Math.min(coldMs, context.testTimeoutMs),
        }),
      close: () => view.close(),
    }
  );
}

function parseLines(output: string): readonly CaseResult[] {
  return output.split('\n').flatMap(l => {
    const found = l.startsWith('photon-case ') ? parseCase(l.slice('photon-case '.length)) : null;
    return found === null ? [] : [found as CaseResult];
  });
}

/** Test files, also those that never came to an end. */
function filesOf(output: string, cases: readonly CaseResult[]): readonly string[] {
  const named = output.split('\n').flatMap(l => (l.startsWith('photon-file ') ? [fileIn(l)] : []));
  return [...new Set([...cases.map(c => c.file), ...named])].filter(f => f !== '').sort();
}

function fileIn(line: string): string {
  try {
    const path: unknown = JSON.parse(line.slice('photon-file '.length));
    return typeof path === 'string' ? path : '';
  } catch {
    return '';
  }
}

interface First {
  readonly command: NodeCommand;
  readonly files: readonly string[];
  readonly first: readonly CaseResult[];
}

/** Null when the warm worker does not see the same cases end in the same way. */
async function openWarm(
  context: RunnerContext,
  view: RunnerView,
  { command, files, first }: First,
): Promise<RunnerAdapter | null> {
  const open = (on: RunnerView, limits: CaseLimits): TestRunner =>
    openChannel({
      view: on,
      argv: ['node', '-e', context.runner('node-driver.cjs')],
      open: { worker: context.runner('node-worker.cjs'), flags: command.flags },
      limits,
    });
  const whole = { files: {}, stages: [{ tests: files, only: null }], bail: false };
  const trial = open(view, firstLimits);
  const seen = await trial.run({ ...whole, coverage: true });
  // once more without coverage, since the first time loads what stays loaded
  const hung = wasLate(seen);
  const again = hung ? seen : await trial.run({ ...whole, coverage: false });
  trial.close();
  // a real run that a loop holds up tells nothing of what comes after it
  const real = hung ? seen.cases : first;
  if (!agree(real, seen.cases) || !agree(real, again.cases)) return null;
  const limits = limitsFrom(again);
  return {
    name: 'node:test, warm',
    base: seen.cases,
    coverage: seen.coverage,
    maxCandidates: warmCandidates,
    further: warmFurther,
    open: async () => open(await context.open(), limits),
    close: () => view.close(),
  };
}
