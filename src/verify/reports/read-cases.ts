/** Reads the cases of a report, or of what a runner prints without one. */

import type { TestCase } from '../../ecosystems/shared/test-case.ts';
import { parseReport } from './parse-report.ts';
import { readOutput } from './read-output.ts';

/** The cases; null if the text is neither a report nor an output that names each case. */
export async function readCases(text: string): Promise<readonly TestCase[] | null> {
  const read = await parseReport(text);
  return read === 'too-large' ? null : (read ?? readOutput(text).cases);
}
