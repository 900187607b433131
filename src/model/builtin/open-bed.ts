/** The way to run a project's tests, found from its test command; the first that fits is taken. */
import { openNodeTest } from './bed-node-test.ts';
import { openPython } from './bed-python.ts';
import { type PlainCommand, plainCommand } from './command-words.ts';
import type { TestBed } from './test-runner.ts';
import type { Workbench } from './workbench.ts';

type OpenBed = (bench: Workbench, plain: PlainCommand) => Promise<TestBed | null>;

const beds: readonly OpenBed[] = [openNodeTest, openPython];

/** Null when no way is known to see how each test case ends. */
export async function openBed(bench: Workbench): Promise<TestBed | null> {
  const plain = plainCommand(bench.testCommand ?? '', await bench.text('package.json'));
  if (plain === null) return null;
  for (const open of beds) {
    const bed = await open(bench, plain);
    if (bed !== null) return bed;
  }
  return null;
}
