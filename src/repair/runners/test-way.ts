/** How the project runs its tests: the line of its test command, and how each case of a run is read. */
import {
  type PlainCommand,
  plainCommand,
  shellLine,
} from '../../ecosystems/commands/parse-command.ts';
import { findTestStage } from '../../ecosystems/commands/stages.ts';
import { parseNodeTest } from '../../ecosystems/javascript/commands.ts';
import { shell } from '../../process/shell.ts';
import { openRunReader, type ReadRun } from './read-cases.ts';
import type { RunnerContext } from './runner-context.ts';

export interface TestWay {
  readonly name: string;
  /** The shell line of the project. */
  readonly line: string;
  /** The words of the command, from which cases are selected; undefined for a command that needs a shell. */
  readonly words: readonly string[] | undefined;
  /** A shell line that runs other words in their place. */
  lineOf(words: readonly string[]): string;
  readonly read: ReadRun;
}

/** Where `node --test` writes its cases, apart from the output of the tests. */
const nodeReport = '.photon-cases.tap';
const nodeReporters = [
  '--test',
  ...['spec', 'stdout', 'tap', nodeReport].map(
    (word, i) => `--test-reporter${i % 2 === 0 ? '' : '-destination'}=${word}`,
  ),
];

/**
 * The way of this test command. What the command builds before the tests is built for each candidate, so that no test
 * runs the output of another text; checks in front of the tests do not run.
 */
export async function findTestWay(context: RunnerContext): Promise<TestWay> {
  const given = context.testCommand ?? '';
  const manifest = await context.text('package.json');
  const stage = findTestStage(given, manifest);
  if (stage !== undefined && stage.builds.length > 0)
    context.log(`Repair: before the tests of each candidate runs ${stage.builds.join(' && ')}.`);
  const plain = plainCommand(stage?.command ?? given, manifest);
  const isNode = plain?.front === undefined && parseNodeTest(plain?.words ?? []) !== undefined;
  const report = isNode ? nodeReport : context.report;
  const before = [
    stage === undefined || stage.build === '' ? '' : shell.building(stage.build),
    // the report of an earlier candidate must not count
    report === '' ? '' : shell.removing(report),
  ].join('');
  const lineOf = (words: readonly string[]) => before + writeLine(plain, words, isNode);
  const whole = stage === undefined || stage.build === '' ? given : stage.line;
  return {
    name: plain?.words.slice(0, 2).join(' ') ?? 'a shell command',
    line: isNode ? lineOf(plain?.words ?? []) : `${before}${whole}`,
    words: plain?.words,
    lineOf,
    read: await openRunReader({ ...context, report }, plain?.words),
  };
}

function writeLine(plain: PlainCommand | undefined, words: readonly string[], isNode: boolean) {
  const reported = isNode ? words.flatMap(w => (w === '--test' ? nodeReporters : w)) : words;
  return `${shell.withLocalPrograms}${shellLine({ env: [], ...plain, words: reported })}`;
}

const known =
  'node --test, vitest, jest, mocha, pytest, python -m unittest, go test, or another one whose output names each case that fails';
const otherwise =
  'or make the command write a JUnit report and set verify.report in .photon/config.json to its path';

/** Explains what to set if the result of each case cannot be read. At most 900 characters. */
export function adviceFor(command: string): string {
  return `The embedded engine cannot read the result of each test from "${command.slice(0, 200)}". Set test-command to commands that && joins, one of which runs ${known}, ${otherwise}.`;
}
