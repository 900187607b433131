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

/** Largest report that is read, in characters, and most cases taken from one. */
export const maxReportChars = 10_000_000;
export const maxCases = 100_000;

/** Gives doubled ids a counter, in order, and stops at the bound. */
export function uniqueCases(cases: readonly TestCase[]): readonly TestCase[] {
  const seen = new Map<string, number>();
  return cases.slice(0, maxCases).map(c => {
    const id = c.id.replace(/\s+/g, ' ').trim().slice(0, 500);
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return { ...c, id: count === 1 ? id : `${id} (${count})` };
  });
}
