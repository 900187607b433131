/** Parses a test report in any of the known formats: JUnit XML, jest JSON, TAP. */

import type { ReadReport } from '../../ecosystems/shared/test-case.ts';
import { parseJest } from './parse-jest.ts';
import { parseJunit } from './parse-junit.ts';
import { parseTap } from './parse-tap.ts';

/** The cases of a report; null if the text is in none of the formats. */
export async function parseReport(text: string): Promise<ReadReport> {
  return (await parseJunit(text)) ?? parseJest(text) ?? parseTap(text);
}
