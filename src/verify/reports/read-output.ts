/** Reads test cases from what runners print without a report. The code under test can forge it. Pure. */
import { ecosystems } from '../../ecosystems/index.ts';
import type { Cases } from '../../ecosystems/shared/output.ts';
import { maxReportChars, uniqueCases } from '../../ecosystems/shared/test-case.ts';
import { plainText, readSummaries } from './run-summary.ts';

/** The cases that an output names. */
export interface OutputCases {
  /** Every case; null if the runners print only the failed ones, or if their number does not fit the summaries. */
  readonly cases: Cases | null;
  /** The failed cases, and the files and packages that failed outside of a case; null if they are not all named. */
  readonly failures: readonly string[] | null;
}

const runners = new Map(
  ecosystems.flatMap(e => e.runners ?? []).map(runner => [runner.runner, runner]),
);

const maxLineChars = 2_000;

const unread: OutputCases = { cases: null, failures: null };

/** The cases in the output of a test command, from all its runners; nothing if one of them is not known. */
export function readOutput(output: string): OutputCases {
  const summaries = readSummaries(output).filter(s => s.ran > 0 || s.failed > 0);
  if (summaries.length === 0 || output.length > maxReportChars) return unread;
  const lines = plainText(output)
    .split('\n')
    .map(line => line.slice(0, maxLineChars));
  const read = [...new Set(summaries.map(s => s.runner))].map(name => {
    const printed = { lines, summaries: summaries.filter(s => s.runner === name) };
    const runner = runners.get(name);
    const all = runner?.all?.(printed) ?? null;
    const failed = all?.filter(c => c.status === 'failed') ?? runner?.failed?.(printed) ?? null;
    return { all, failed };
  });
  return {
    cases: join(read.map(r => r.all)),
    failures: join(read.map(r => r.failed))?.map(c => c.id) ?? null,
  };
}

function join(lists: readonly (Cases | null)[]): Cases | null {
  const known = lists.filter(list => list !== null);
  if (known.length < lists.length) return null;
  const cases = uniqueCases(known.flat());
  return cases === 'too-large' ? null : cases;
}
