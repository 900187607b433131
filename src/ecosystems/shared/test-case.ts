/** The result of a test case in a report, and the limits of reports, which the code under test can forge. */
import { parseJson } from '../../base/schema-issue.ts';

export interface TestCase {
  /** Suite path and name; repeated ones get a counter. */
  readonly id: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** For a failure: its message, bounded. */
  readonly message?: string;
  /** The test file as the report names it. */
  readonly file?: string;
}

/** Maximum characters of a failure message. */
export const maxMessageChars = 4_000;

/** Maximum characters and cases of a report. */
export const maxReportChars = 10_000_000;
export const maxCases = 100_000;

/** Maximum lines, elements or values of a report. */
export const maxReportParts = 1_000_000;

/** The cases of a report; undefined for other text, `too-large` for a report that exceeds the limits. */
export type ReadReport = readonly TestCase[] | 'too-large' | undefined;

/** Adds a counter to repeated ids, in order. */
export function uniqueCases(cases: readonly TestCase[]): ReadReport {
  if (cases.length > maxCases) return 'too-large';
  const seen = new Map<string, number>();
  return cases.map(c => {
    const id = c.id.replace(/\s+/g, ' ').trim().slice(0, 500);
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return { ...c, id: count === 1 ? id : `${id} (${count})` };
  });
}

/** The cases of a JSON report within the limits, as `read` finds them in its data; undefined for another text. */
export function readJsonReport(text: string, read: (data: unknown) => ReadReport): ReadReport {
  if (text.length > maxReportChars) return 'too-large';
  const cases = /^\s*\{/.test(text) ? read(parseJson(text)) : undefined;
  return typeof cases === 'object'
    ? uniqueCases(cases.map(c => ({ ...c, message: c.message?.slice(0, maxMessageChars) })))
    : cases;
}
