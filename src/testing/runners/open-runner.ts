/** The way to run a project's tests, found from its test command; the first that fits is taken. */
import { openGo } from './go.ts';
import { openJson } from './json.ts';
import { openNodeTest } from './node-test.ts';
import { followCommand, type PlainCommand, partsOf, plainCommand } from './parse-command.ts';
import { openPython } from './python.ts';
import { openReport } from './report.ts';
import type { RunnerContext } from './runner-context.ts';
import type { RunnerAdapter } from './test-runner.ts';

type OpenRunner = (context: RunnerContext, plain: PlainCommand) => Promise<RunnerAdapter | null>;

const runners: readonly OpenRunner[] = [openNodeTest, openPython, openJson, openGo];

/** A bed, or why there is none and what would help. */
export type RunnerChoice = { readonly adapter: RunnerAdapter } | { readonly stop: string };

/** Never without a reason: no way is known to see how each test case ends. */
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
  'or let the command write a JUnit report and name it as verify.report in .photon/config.json';

/** What to set where single cases cannot be seen. At most 900 characters. */
export function adviceFor(command: string, manifest: string | null): string {
  const followed = followCommand(command, manifest);
  const cannot = 'The embedded engine cannot see how single tests end with';
  if ('plain' in followed)
    return `${cannot} the command "${command.slice(0, 200)}". Set test-command to one that runs ${known}, ${otherwise}.`;
  const shell = followed.shell.slice(0, 200);
  const parts = partsOf(followed.shell).filter(p => runs(plainCommand(p, manifest)));
  const runs1 =
    parts.length === 1 && parts[0] !== undefined
      ? `Set test-command to the part that runs the tests, "${parts[0].slice(0, 200)}", and setup-command to what has to come before it`
      : `Set test-command to one plain command that runs ${known}, and setup-command to what has to come before it`;
  const behind = shell === command ? '' : ` ("${command.slice(0, 100)}")`;
  return `${cannot} "${shell}"${behind}, which only a shell can run. ${runs1}, ${otherwise}.`;
}

/** True for a command that one of the beds knows, by its first words. */
function runs(plain: PlainCommand | null): boolean {
  const line = plain?.words.join(' ') ?? '';
  return /^(node .*--test\b|vitest\b|jest\b|mocha\b|(\S*\/)?(pytest|py\.test)\b|(\S*\/)?python[\d.]* .*-m (pytest|unittest)\b|go test\b)/.test(
    line,
  );
}
