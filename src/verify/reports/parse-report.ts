/** Parses a test report in any of the known formats: JUnit XML, TAP, and those of the ecosystems. */
import { ecosystems } from '../../ecosystems/index.ts';
import type { ReadReport, TestCase } from '../../ecosystems/shared/test-case.ts';
import { parseJunit } from './parse-junit.ts';
import { parseTap } from './parse-tap.ts';
import { readOutput } from './read-output.ts';

/** The cases of a report; undefined if the text is in none of the formats. */
export async function parseReport(text: string): Promise<ReadReport> {
  const junit = await parseJunit(text);
  if (junit !== undefined) return junit;
  for (const { readReport } of ecosystems) {
    const read = readReport?.(text);
    if (read !== undefined) return read;
  }
  return parseTap(text);
}

/** The cases of a report, or of what a runner prints without one; undefined if the text names not each case. */
export async function readCases(text: string): Promise<readonly TestCase[] | undefined> {
  const read = await parseReport(text);
  return read === 'too-large' ? undefined : (read ?? readOutput(text).cases);
}
