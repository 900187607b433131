/** Adapter for tape, mocha, tap and plain node scripts: one thread runs every candidate, if it agrees with the real run. */
import { posix } from 'node:path';
import { globTest } from '../../../base/globs.ts';
import { type PlainCommand, shellLine } from '../../../ecosystems/commands/parse-command.ts';
import { shell } from '../../../process/shell.ts';
import {
  firstLimits,
  limitsFrom,
  openBaseRun,
  warmFurther,
  wasLate,
  whyNotWarm,
  withTimes,
} from '../agree.ts';
import { openChannel } from '../channel.ts';
import { coldFurther } from '../cold.ts';
import { runAlone, type Stop, stopAt } from '../obstacles.ts';
import { joinProgram, type RunnerContext, type RunnerView, readTexts } from '../runner-context.ts';
import {
  type CaseLimits,
  type CaseResult,
  type JobResult,
  type RunnerAdapter,
  type TestRunner,
  waitsForNothing,
} from '../test-runner.ts';
import { keptWords, mocha } from './json-runners.ts';
import { type MochaOptions, readMocha } from './mocha.ts';
import {
  leftBy,
  namedWithoutTypes,
  readDriverSource,
  readWorkerSource,
  withConfirmation,
} from './shared-thread.ts';

const maxCandidates = 6000;
const slowScriptMs = 1_000;
/** Time limit of the real run, and its processor time in seconds. */
const realMs = 60_000;
const realSeconds = 30;

/** A command of test files that one thread can run. */
interface ScriptCommand {
  readonly script: 'tape' | 'mocha' | 'tap' | 'node';
  /** Empty for tap, whose real run names them. */
  readonly files: readonly string[];
  readonly options?: MochaOptions | Pick<MochaOptions, 'require'>;
}

/**
 * Parses `tape FILES` and `node FILE`, with patterns expanded to paths of the project; undefined for another command, and for one
 * with options, which the thread would not follow.
 */
export function parseScripts(
  { words }: PlainCommand,
  paths: readonly string[],
): ScriptCommand | undefined {
  const [script = '', ...named] = words;
  if (named.length === 0 || named.some(w => w.startsWith('-'))) return undefined;
  if (script !== 'tape' && script !== 'node') return undefined;
  const files = named.map(word => matchFiles(word.replace(/^\.\//, ''), paths));
  if (files.some(f => f.length === 0)) return undefined;
  if (script === 'node' && named.length !== 1) return undefined;
  return { script, files: [...new Set(files.flat())] };
}

/** A command of tap; `refused` if the thread would not follow it. */
function parseTap({ words }: PlainCommand): ScriptCommand | { readonly refused: string } {
  const foreign = words.find(w => /^--(?:before|after|grep|only|reporter-file)\b/.test(w));
  if (foreign !== undefined) return { refused: `of its argument "${foreign}"` };
  return { script: 'tap', files: [], options: { require: [] } };
}

/** The paths that a word names: a file, a module without its ending, or a pattern. */
function matchFiles(word: string, paths: readonly string[]): readonly string[] {
  const module = [word, `${word}.js`, `${word}/index.js`].find(p => paths.includes(p));
  if (module !== undefined) return [module];
  const fits = globTest(word);
  return paths.filter(p => /\.[cm]?js$/.test(p) && fits(p));
}

const loadsOnly = /^(?:require\(|import )\s*(['"])(\.\.?\/[^'"]+)\1\s*\)?;?$/;

/** The files without those that only load others of them, because Node runs a module once in a process. */
export function withoutIndexFiles(
  files: readonly string[],
  textOf: ReadonlyMap<string, string | undefined>,
): readonly string[] {
  return files.filter(file => {
    const lines = (textOf.get(file) ?? '')
      .replace(/^[ \t]*\/\/.*$|^[ \t]*(['"])use strict\1;?[ \t]*$/gm, '')
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '');
    const loads = (line: string) => {
      const path = loadsOnly.exec(line)?.[2];
      const found =
        path === undefined ? [] : matchFiles(posix.join(posix.dirname(file), path), files);
      return found.length === 1 && found[0] !== file;
    };
    return lines.length === 0 || !lines.every(loads);
  });
}

/** Runs the tests once as the project does, then in a thread; undefined if they do not see the same. */
export async function openScripts(
  context: RunnerContext,
  plain: PlainCommand,
): Promise<RunnerAdapter | Stop | undefined> {
  if (context.build !== undefined) return undefined;
  const [program = ''] = plain.words;
  const parsed = program === 'tap' ? parseTap(plain) : parseScripts(plain, await context.files());
  if (parsed === undefined && program !== 'mocha') return undefined;
  const view = await context.open();
  const named = parsed ?? (await readMocha({ runner: context.runner, view }, plain));
  if (named === undefined || 'refused' in named) {
    view.close();
    if (named !== undefined)
      context.log(`Repair: ${program} does not run warm, because ${named.refused}.`);
    return undefined;
  }
  const real = await realRun(context, view, { plain, command: named });
  const { output } = real;
  const all = real.files ?? named.files;
  const command = { ...named, files: withoutIndexFiles(all, await readTexts(context, all)) };
  const early = output === undefined ? undefined : await stopAt(context, { cases: [], output });
  if (early !== undefined) {
    view.close();
    return early;
  }
  let why = '';
  // without types first, if the tests take that
  for (const withoutTypes of mayDropTypes(command) ? [true, false] : [false]) {
    const opened = await openThread(context, view, { plain, command, real, withoutTypes });
    if (typeof opened !== 'string') {
      if ('stop' in opened) view.close();
      return opened;
    }
    why = opened;
  }
  view.close();
  context.log(`Repair: ${command.script} does not run warm, because ${why}.`);
  return undefined;
}

interface Thread extends RealCommand {
  readonly real: RealRun;
  /** True to compile without a check of types, which what passes has to meet afterwards. */
  readonly withoutTypes: boolean;
}

/** Opens the thread. Otherwise says why it cannot be used. */
async function openThread(
  context: RunnerContext,
  view: RunnerView,
  { plain, command, real, withoutTypes }: Thread,
): Promise<RunnerAdapter | Stop | string> {
  const scripts = joinProgram(context.runner, ['lines/script-lines.cjs', 'node/node-scripts.cjs']);
  const source = `${readWorkerSource(context.runner)}\n${scripts}`;
  const openAs = (env: readonly string[], filesAlone: boolean) => {
    const options = command.options && { ...command.options, filesAlone };
    const environment = env.length === 0 ? [] : ['env', ...env];
    return (on: RunnerView, limits: CaseLimits, expected?: readonly string[]): TestRunner =>
      openChannel({
        view: on,
        argv: [...environment, 'node', '-e', readDriverSource(context.runner)],
        open: {
          worker: source,
          flags: [],
          script: command.script,
          options,
          expected,
        },
        limits,
      });
  };
  const env = withoutTypes ? [...plain.env, 'TS_NODE_TRANSPILE_ONLY=true'] : plain.env;
  const open = openAs(env, withoutTypes || !checksTypes(command));
  const whole = { files: {}, stages: [{ tests: command.files, only: null }], bail: false };
  const trial = open(view, firstLimits);
  const base = openBaseRun(trial);
  // to record lines slows a compiler down, and the first run loads it
  const loading = mayCompile(command) ? await base({ ...whole, coverage: false }) : undefined;
  const seen = await base({ ...whole, coverage: true });
  const again = wasLate(seen) ? seen : await base({ ...whole, coverage: false });
  const mayRunAlone = command.script !== 'node' && !wasLate(seen);
  const alone = mayRunAlone ? await runAlone(trial, again.cases) : { spent: {} };
  trial.close();
  if (!fits(real, seen) || !fits(real, again)) return whyOther(seen);
  const stop = await stopAt(context, { cases: again.cases, output: '' });
  if (stop !== undefined) return stop;
  const spent = 'stop' in alone ? {} : alone.spent;
  const loadingMs = loading?.loadMs ?? 0;
  const limits = computeLimits(command, { loadingMs, again, spent });
  const openFast = async () => open(await context.open(), limits, leftBy([loading, seen, again]));
  const openWhole = async () => openAs(plain.env, false)(await context.open(), firstLimits);
  const name = `${command.script === 'node' ? 'a node script' : command.script}, warm`;
  return {
    name: withoutTypes ? namedWithoutTypes(name) : name,
    base: again.cases,
    coverage: seen.coverage,
    maxCandidates,
    further: isSlowScript(command, { loadingMs, again }) ? coldFurther : warmFurther,
    open: async () => (withoutTypes ? withConfirmation(await openFast(), openWhole) : openFast()),
    close: () => view.close(),
  };
}

interface BaseRuns {
  /** Processor time of the file that took longest to load in the run that compiled everything; 0 if nothing is compiled. */
  readonly loadingMs: number;
  readonly again: JobResult;
  /** What the failing cases take alone. */
  readonly spent: NonNullable<JobResult['spent']>;
}

/** A module that mocha requires may compile the sources: it keeps those of the base, and compiles each candidate anew. */
const mayCompile = ({ options }: ScriptCommand) => (options?.require.length ?? 0) > 0;

/** Whether mocha requires ts-node, which checks types. */
const checksTypes = ({ options }: ScriptCommand) =>
  options?.require.some(m => /^ts-node\/register(?:\/(?:files|type-check))?(?:\.js)?$/.test(m)) ??
  false;
/** Whether a variable can tell it not to. */
const mayDropTypes = (command: ScriptCommand) =>
  checksTypes(command) && !command.options?.require.some(m => m.includes('/type-check'));

function computeLimits(command: ScriptCommand, { loadingMs, again, spent }: BaseRuns): CaseLimits {
  // a plain script ends at its first failed assertion
  if (command.script === 'node')
    return limitsFrom(
      again,
      again.cases.some(c => c.status === 'failed'),
    );
  const loadMs = Math.max(again.loadMs ?? 0, loadingMs);
  return limitsFrom(withTimes(loadMs > 0 ? { ...again, loadMs } : again, spent));
}

/** A plain script runs its slow assertions for each candidate. */
function isSlowScript(
  command: ScriptCommand,
  { loadingMs, again }: Pick<BaseRuns, 'loadingMs' | 'again'>,
): boolean {
  return (command.script === 'node' ? again.cpuMs : loadingMs) > slowScriptMs;
}

/** What the real run showed: whether it passed, and the numbers of its assertions or tests if it counted all. */
export interface RealRun {
  /** True if it did not end. */
  readonly late?: boolean;
  readonly passed: boolean;
  readonly points: NonNullable<JobResult['points']> | undefined;
  /** The test files, if only the run names them. */
  readonly files?: readonly string[];
  /** What the runner printed instead of its tests, if it did not get to them. */
  readonly output?: string;
}

interface RealCommand {
  readonly plain: PlainCommand;
  readonly command: ScriptCommand;
}

async function realRun(
  context: RunnerContext,
  view: RunnerView,
  { plain, command }: RealCommand,
): Promise<RealRun> {
  const reported: Readonly<Record<string, readonly string[]>> = {
    mocha: [...keptWords(mocha, plain.words), '--reporter', 'tap'],
    tap: [...plain.words, '--reporter=tap'],
  };
  const words = reported[command.script] ?? plain.words;
  const line = shellLine({ ...plain, words });
  const end = await view.run(
    `${shell.limited(realSeconds)}${shell.withLocalPrograms}${line}`,
    Math.min(realMs, context.testTimeoutMs),
  );
  if (end.limit !== undefined) return { passed: false, points: undefined, late: true };
  const passed = end.exitCode === 0;
  if (command.script === 'tap') return readTap(end.output, passed);
  const began = command.script !== 'mocha' || /^(?:1\.\.\d|(?:not )?ok \d)/m.test(end.output);
  const read = readReal(end.output, passed, command.script);
  return began ? read : { ...read, output: end.output };
}

/**
 * Reads the TAP of a real run; a crash leaves it without the count at its end. What tape skips is an assertion, what
 * mocha skips is a test that did not run.
 */
export function readReal(
  output: string,
  passed: boolean,
  script: ScriptCommand['script'],
): RealRun {
  const counts = (line: string) => script !== 'mocha' || !/# SKIP/i.test(line);
  const count = (start: RegExp) =>
    output.split('\n').filter(l => start.test(l) && counts(l)).length;
  const whole = /^# tests \d+/m.test(output);
  return {
    passed,
    points: whole ? { passed: count(/^ok \d/), failed: count(/^not ok \d/) } : undefined,
  };
}

/** Reads the real run of tap: what it counted, and the test files that it found. tap itself ends a test after thirty seconds. */
export function readTap(output: string, passed: boolean): RealRun {
  const files = [...output.matchAll(/^# Subtest: (.+)$/gm)].map(([, path = '']) => path);
  if (/^ *not ok \d+ - timeout!/m.test(output))
    return { passed, points: undefined, files, late: true };
  const counts = /^# \{[^}]*\}/m.exec(output)?.[0];
  if (counts === undefined) return { passed, points: undefined, output };
  const count = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(counts)?.[1] ?? 0);
  return { passed, points: { passed: count('pass'), failed: count('fail') }, files };
}

/** Why the thread cannot be used: it ended, a file did not load in it, or the results are others. */
function whyOther(seen: JobResult): string {
  if (seen.cases.length === 0) return whyNotWarm([], seen);
  const broken = seen.cases.find(c => c.status === 'failed' && c.id === c.file);
  const reason = broken?.message?.split('\n')[0]?.slice(0, 200);
  return `the results differ from the real run${reason === undefined ? '' : ` (${broken?.file}: ${reason})`}`;
}

/** True if the thread saw what the real run showed. */
export function fits({ passed, points, late }: RealRun, seen: JobResult): boolean {
  if (late && !wasLate(seen)) return false;
  const failed = seen.cases.some(c => c.status === 'failed');
  if (seen.cases.length === 0 || failed === passed) return false;
  // where nothing is left to wait for, the real run ends, and counts what did not run as failed
  const stopped = seen.cases.some(c => c.message === waitsForNothing);
  if (points === undefined || stopped || wasLate(seen)) return true;
  const counted = countPoints(seen);
  return counted.passed === points.passed && counted.failed === points.failed;
}

/** The assertions or tests that passed and failed; the cases where the thread counts nothing else. */
function countPoints({ points, cases }: JobResult): NonNullable<JobResult['points']> {
  if (points !== undefined && points.passed + points.failed > 0) return points;
  const count = (status: CaseResult['status']) => cases.filter(c => c.status === status).length;
  return { passed: count('passed'), failed: count('failed') };
}
