/** Adapter for tape, mocha and plain node scripts: one thread runs every candidate, if it agrees with the real run. */

import picomatch from 'picomatch';
import { thisPlatform } from '../../process/this-platform.ts';
import { type PlainCommand, shellLine } from '../commands/parse-command.ts';
import { firstLimits, limitsFrom, warmFurther, wasLate, whyNotWarm, withTimes } from './agree.ts';
import { openBaseRun } from './base-run.ts';
import { openChannel } from './channel.ts';
import { coldFurther } from './cold.ts';
import { runAlone } from './obstacles.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import { driverOf, leftBy, workerOf } from './shared-thread.ts';
import {
  type CaseLimits,
  type JobResult,
  type RunnerAdapter,
  type TestRunner,
  waitsForNothing,
} from './test-runner.ts';

const maxCandidates = 6000;
const slowScriptMs = 1_000;
/** Time limit of the real run, and its processor time in seconds. */
const realMs = 60_000;
const realSeconds = 30;

/** A command of test files that one thread can run. */
export interface ScriptCommand {
  readonly script: 'tape' | 'mocha' | 'node';
  readonly files: readonly string[];
}

/**
 * Parses `tape FILES`, `mocha FILES` and `node FILE`, with patterns expanded to paths of the project; null for another
 * command, and for one with options, which the thread would not follow.
 */
export function parseScripts(
  { env, words }: PlainCommand,
  paths: readonly string[],
): ScriptCommand | null {
  const [script = '', ...rest] = words;
  if (env.length > 0 || rest.some(w => w.startsWith('-'))) return null;
  if (script !== 'tape' && script !== 'mocha' && script !== 'node') return null;
  const named = rest.length === 0 && script === 'mocha' ? ['test/*.{js,cjs,mjs}'] : rest;
  const files = named.map(word => filesOf(word.replace(/^\.\//, ''), paths));
  if (named.length === 0 || files.some(f => f.length === 0)) return null;
  if (script === 'node' && rest.length !== 1) return null;
  return { script, files: [...new Set(files.flat())] };
}

/** The paths that a word names: a file, a module without its ending, or a pattern. */
function filesOf(word: string, paths: readonly string[]): readonly string[] {
  const module = [word, `${word}.js`, `${word}/index.js`].find(p => paths.includes(p));
  if (module !== undefined) return [module];
  const fits = picomatch(word);
  return paths.filter(p => /\.[cm]?js$/.test(p) && fits(p));
}

/** Runs the tests once as the project does, then in a thread; null if they do not see the same. */
export async function openScripts(
  context: RunnerContext,
  plain: PlainCommand,
): Promise<RunnerAdapter | null> {
  const paths = await context.files();
  const command = parseScripts(plain, paths);
  const configured = paths.some(p => /^\.mocharc\./.test(p));
  if (command === null || context.build !== undefined || configured) return null;
  const view = await context.open();
  const real = await realRun(context, view, { plain, command });
  const source = `${workerOf(context.runner)}\n${context.runner('node-scripts.cjs')}`;
  const open = (on: RunnerView, limits: CaseLimits, expected?: readonly string[]): TestRunner =>
    openChannel({
      view: on,
      argv: ['node', '-e', driverOf(context.runner)],
      open: { worker: source, flags: [], script: command.script, expected },
      limits,
    });
  const whole = { files: {}, stages: [{ tests: command.files, only: null }], bail: false };
  const trial = open(view, firstLimits);
  const base = openBaseRun(trial);
  const seen = await base({ ...whole, coverage: true });
  const again = wasLate(seen) ? seen : await base({ ...whole, coverage: false });
  const mayRunAlone = command.script !== 'node' && !wasLate(seen);
  const alone = mayRunAlone ? await runAlone(trial, again.cases) : { spent: {} };
  trial.close();
  if (!fits(real, seen) || !fits(real, again)) {
    view.close();
    const why =
      seen.cases.length === 0 ? whyNotWarm([], seen) : 'the results differ from the real run';
    context.log(`Repair: ${command.script} does not run warm, because ${why}.`);
    return null;
  }
  // a plain script ends at its first failed assertion
  const fails = again.cases.some(c => c.status === 'failed');
  const limits =
    command.script === 'node'
      ? limitsFrom(again, fails)
      : limitsFrom(withTimes(again, 'stop' in alone ? {} : alone.spent));
  return {
    name: `${command.script === 'node' ? 'a node script' : command.script}, warm`,
    base: again.cases,
    coverage: seen.coverage,
    maxCandidates,
    // a plain script runs its slow assertions for each candidate
    further: again.cpuMs > slowScriptMs && command.script === 'node' ? coldFurther : warmFurther,
    open: async () => open(await context.open(), limits, leftBy([seen, again])),
    close: () => view.close(),
  };
}

/** What the real run showed: whether it passed, and the numbers of its assertions or tests if it counted all. */
export interface RealRun {
  /** True if it did not end. */
  readonly late?: boolean;
  readonly passed: boolean;
  readonly points: { readonly passed: number; readonly failed: number } | null;
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
  const more = command.script === 'mocha' ? ['--reporter', 'tap'] : [];
  const line = shellLine({ ...plain, words: [...plain.words, ...more] });
  const { shell } = thisPlatform;
  const end = await view.run(
    `${shell.limited(realSeconds)}${shell.withLocalPrograms}${line}`,
    Math.min(realMs, context.testTimeoutMs),
  );
  if (end.limit !== null) return { passed: false, points: null, late: true };
  return readReal(end.output, end.exitCode === 0, command.script);
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
    points: whole ? { passed: count(/^ok \d/), failed: count(/^not ok \d/) } : null,
  };
}

/** True if the thread saw what the real run showed. */
export function fits({ passed, points, late }: RealRun, seen: JobResult): boolean {
  if (late && !wasLate(seen)) return false;
  const failed = seen.cases.some(c => c.status === 'failed');
  if (seen.cases.length === 0 || failed === passed) return false;
  // where nothing is left to wait for, the real run ends, and counts what did not run as failed
  const stopped = seen.cases.some(c => c.message === waitsForNothing);
  if (points === null || stopped || wasLate(seen)) return true;
  return seen.points?.passed === points.passed && seen.points.failed === points.failed;
}
