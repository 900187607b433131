/** Parses a test report in any of the known formats: JUnit XML, jest JSON, TAP. */
import { parseJest } from './parse-jest.ts';
import { parseJunit } from './parse-junit.ts';
import { parseTap } from './parse-tap.ts';
import type { ReadReport } from './test-case.ts';

/** The cases of a report; null if the text is in none of the formats. */
export async function parseReport(text: string): Promise<ReadReport> {
  return (await parseJunit(text)) ?? parseJest(text) ?? parseTap(text);
}
