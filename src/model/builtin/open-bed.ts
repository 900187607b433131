/** The way to run a project's tests, found from its test command; the first that fits is taken. */
import { openGo } from './bed-go.ts';
import { openJson } from './bed-json.ts';
import { openNodeTest } from './bed-node-test.ts';
import { openPython } from './bed-python.ts';
import { openReport } from './bed-report.ts';
import { followCommand, type PlainCommand, partsOf, plainCommand } from './command-words.ts';
import type { TestBed } from './test-runner.ts';
import type { Workbench } from './workbench.ts';

type OpenBed = (bench: Workbench, plain: PlainCommand) => Promise<TestBed | null>;

const beds: readonly OpenBed[] = [openNodeTest, openPython, openJson, openGo];

/** A bed, or why there is none and what would help. */
export type Opened = { readonly bed: TestBed } | { readonly stop: string };

/** Never without a reason: no way is known to see how each test case ends. */
export async function openBed(bench: Workbench): Promise<Opened> {
  const command = bench.testCommand ?? '';
  const manifest = await bench.text('package.json');
  const followed = followCommand(command, manifest);
  for (const open of 'plain' in followed ? beds : []) {
    const bed = 'plain' in followed ? await open(bench, followed.plain) : null;
    if (bed !== null) return { bed };
  }
  const bed = await openReport(bench);
  return bed === null ? { stop: adviceFor(command, manifest) } : { bed };
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
