/** Results per test case, as a report tells them; reports are written by tests and are hostile input. */

export interface TestCase {
  /** Suite path and name; doubled ones carry a counter. */
  readonly id: string;
  readonly status: 'passed' | 'failed' | 'skipped';
}

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
    return { id: count === 1 ? id : `${id} (${count})`, status: c.status };
  });
}
