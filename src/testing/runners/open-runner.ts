/** Opens the test runner adapter that fits the test command; the first that fits is used. */

import {
  followCommand,
  type PlainCommand,
  partsOf,
  plainCommand,
} from '../commands/parse-command.ts';
import { openGo } from './go.ts';
import { openJson } from './json.ts';
import { openNodeTest } from './node-test.ts';
import { openPython } from './python.ts';
import { openReport } from './report.ts';
import type { RunnerContext } from './runner-context.ts';
import type { RunnerAdapter } from './test-runner.ts';

type OpenRunner = (context: RunnerContext, plain: PlainCommand) => Promise<RunnerAdapter | null>;

const runners: readonly OpenRunner[] = [openNodeTest, openPython, openJson, openGo];

/** The adapter, or why there is none and what to set. */
export type RunnerChoice = { readonly adapter: RunnerAdapter } | { readonly stop: string };

/** Opens an adapter, or explains why the result of each test case cannot be read. */
export async function openRunner(context: RunnerContext): Promise<RunnerChoice> {
  const command = context.testCommand ?? '';
  const manifest = await context.text('package.json');
  const followed = followCommand(command, manifest);
  for (const open of 'plain' in followed ? runners : []) {
    const adapter = 'plain' in followed ? await open(context, followed.plain) : null;
    if (adapter !== null) return { adapter };
  }
  const adapter = await openReport(context);
  return adapter === null ? { stop: adviceFor(command, manifest) } : { adapter };
}

const known = 'node --test, vitest, jest, mocha, pytest, python -m unittest or go test';
const otherwise =
  'or make the command write a JUnit report and set verify.report in .photon/config.json to its path';

/** Explains what to set if the result of each case cannot be read. At most 900 characters. */
export function adviceFor(command: string, manifest: string | null): string {
  const followed = followCommand(command, manifest);
  const cannot = 'The embedded engine cannot read the result of each test from';
  if ('plain' in followed)
    return `${cannot} the command "${command.slice(0, 200)}". Set test-command to a command that runs ${known}, ${otherwise}.`;
  const shell = followed.shell.slice(0, 200);
  const parts = partsOf(followed.shell).filter(p => runs(plainCommand(p, manifest)));
  const advice =
    parts.length === 1 && parts[0] !== undefined
      ? `Set test-command to the part that runs the tests, "${parts[0].slice(0, 200)}", and setup-command to the part before it`
      : `Set test-command to one plain command that runs ${known}, and setup-command to the commands before it`;
  const behind = shell === command ? '' : ` ("${command.slice(0, 100)}")`;
  return `${cannot} "${shell}"${behind}, which needs a shell. ${advice}, ${otherwise}.`;
}

/** The beginnings of commands that an adapter knows. */
const knownCommands: readonly RegExp[] = [
  /^node .*--test\b/,
  /^(vitest|jest|mocha)\b/,
  /^(\S*\/)?(pytest|py\.test)\b/,
  /^(\S*\/)?python[\d.]* .*-m (pytest|unittest)\b/,
  /^go test\b/,
];

function runs(plain: PlainCommand | null): boolean {
  const line = plain?.words.join(' ') ?? '';
  return knownCommands.some(pattern => pattern.test(line));
}
