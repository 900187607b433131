/** Results per test case, as a report tells them; reports are written by tests and are hostile input. */

export interface TestCase {
  /** Suite path and name; doubled ones carry a counter. */
  readonly id: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Of a failure: what the report says of it, cut. */
  readonly message?: string;
  /** The test file, as the report names it. */
  readonly file?: string;
}

/** Most characters of what is kept of a failure. */
export const maxMessageChars = 4_000;

/** Largest report that is read, in characters, and most cases of one. */
export const maxReportChars = 10_000_000;
export const maxCases = 100_000;

/** Most lines, elements or values that are looked at for the sake of those cases. */
export const maxReportParts = 1_000_000;

/** A report as read: its cases, null for a text that is none, or that it is larger than what is read. */
export type ReadReport = readonly TestCase[] | 'too-large' | null;

/** Gives doubled ids a counter, in order. */
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
