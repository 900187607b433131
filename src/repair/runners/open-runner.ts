/** Opens the test runner adapter that fits the test command; the first that fits is used. */
import {
  followCommand,
  type PlainCommand,
  plainCommand,
  shellLine,
} from '../../ecosystems/commands/parse-command.ts';
import { findTestStage, type TestStage } from '../../ecosystems/commands/stages.ts';
import { shell } from '../../process/shell.ts';
import { findNodeTest } from './adapters/node-test.ts';
import { findPython } from './adapters/python.ts';
import { openBestRunner } from './best-runner.ts';
import type { ColdWay } from './cold.ts';
import { type KeptAdapter, keepRunners } from './keep-runners.ts';
import type { Stop } from './obstacles.ts';
import { openRunReader } from './read-cases.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';

/** The adapter, or why no adapter fits and what to set. */
type RunnerChoice = { readonly adapter: KeptAdapter } | Stop;

/**
 * Opens an adapter, or explains why the result of each test case cannot be read. What the test command builds before
 * the tests is built for each candidate, so that no test runs the output of another text.
 */
export async function openRunner(context: RunnerContext): Promise<RunnerChoice> {
  const given = context.testCommand ?? '';
  const manifest = await context.text('package.json');
  const stage = findTestStage(given, manifest);
  const { command, build, builds } = stage ?? { command: given, build: '', builds: [] };
  if (builds.length > 0)
    context.log(`Repair: before the tests of each candidate runs ${builds.join(' && ')}.`);
  const built = build === '' ? context : { ...context, open: () => openBuilt(context, build) };
  const plain = plainCommand(command, manifest);
  const node =
    plain?.front === undefined && plain !== undefined ? findNodeTest(built, plain) : undefined;
  const warm = node?.warm ?? (plain === undefined ? undefined : findPython(built, plain));
  const opened = await openBestRunner(built, {
    cold: node?.cold ?? (await findCold(built, wholeLine(given, stage), plain)),
    // a program that stays would not see what a build makes
    warm: build === '' ? warm : undefined,
  });
  if (opened === undefined) return { stop: adviceFor(given, manifest) };
  return 'stop' in opened ? opened : { adapter: keepRunners(opened, context.log) };
}

/** How any command runs, whose report or output names the cases. */
async function findCold(
  context: RunnerContext,
  line: string,
  plain: PlainCommand | undefined,
): Promise<ColdWay> {
  // the report of an earlier candidate must not count
  const clean = context.report === '' ? '' : shell.removing(context.report);
  return {
    name: plain?.words.slice(0, 2).join(' ') ?? 'a shell command',
    line: `${clean}${line}`,
    words: plain?.words,
    lineOf: words =>
      `${clean}${shell.withLocalPrograms}${plain === undefined ? line : shellLine({ ...plain, words })}`,
    read: await openRunReader(context, plain?.words),
  };
}

/** The command itself, or the stage that runs its tests, without the checks in front of it. */
function wholeLine(given: string, stage: TestStage | undefined): string {
  return stage === undefined || stage.build === '' ? given : stage.line;
}

/** A view in which each line runs after the build, whose output shows only if it fails. */
async function openBuilt(context: RunnerContext, build: string): Promise<RunnerView> {
  const view = await context.open();
  const before = shell.building(build);
  return { ...view, run: (line, timeoutMs) => view.run(`${before}${line}`, timeoutMs) };
}

const known =
  'node --test, vitest, jest, mocha, pytest, python -m unittest, go test, or another one whose output names each case that fails';
const otherwise =
  'or make the command write a JUnit report and set verify.report in .photon/config.json to its path';

/** Explains what to set if the result of each case cannot be read. At most 900 characters. */
export function adviceFor(command: string, manifest: string | undefined): string {
  const followed = followCommand(command, manifest);
  const behind = 'plain' in followed ? command : followed.shell;
  const from = behind === command ? '' : ` ("${command.slice(0, 100)}")`;
  return `The embedded engine cannot read the result of each test from "${behind.slice(0, 200)}"${from}. Set test-command to commands that && joins, one of which runs ${known}, ${otherwise}.`;
}
