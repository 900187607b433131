/** The way to run a project's tests, found from its test command; the first that fits is taken. */
import { openJson } from './bed-json.ts';
import { openNodeTest } from './bed-node-test.ts';
import { openPython } from './bed-python.ts';
import { openReport } from './bed-report.ts';
import { type PlainCommand, plainCommand } from './command-words.ts';
import type { TestBed } from './test-runner.ts';
import type { Workbench } from './workbench.ts';

type OpenBed = (bench: Workbench, plain: PlainCommand) => Promise<TestBed | null>;

const beds: readonly OpenBed[] = [openNodeTest, openPython, openJson];

/** Null when no way is known to see how each test case ends. */
export async function openBed(bench: Workbench): Promise<TestBed | null> {
  const plain = plainCommand(bench.testCommand ?? '', await bench.text('package.json'));
  for (const open of plain === null ? [] : beds) {
    const bed = plain === null ? null : await open(bench, plain);
    if (bed !== null) return bed;
  }
  return openReport(bench);
}
