/** Reads test cases from what runners print without a report. The code under test can forge it. Pure. */
import { ecosystems } from '../../ecosystems/index.ts';
import type { Cases } from '../../ecosystems/shared/output.ts';
import { maxReportChars, uniqueCases } from '../../ecosystems/shared/test-case.ts';
import { plainText, readSummaries } from './run-summary.ts';

/** The cases that an output names. */
export interface OutputCases {
  /** Every case; undefined if the runners print only the failed ones, or if their number does not fit the summaries. */
  readonly cases: Cases | undefined;
  /** The failed cases, and the files and packages that failed outside of a case; undefined if they are not all named. */
  readonly failures: readonly string[] | undefined;
}

const runners = new Map(
  ecosystems.flatMap(e => e.runners ?? []).map(runner => [runner.runner, runner]),
);

const maxLineChars = 2_000;

const unread: OutputCases = { cases: undefined, failures: undefined };

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
    const all = runner?.all?.(printed);
    const failed = all?.filter(c => c.status === 'failed') ?? runner?.failed?.(printed);
    return { all, failed };
  });
  return {
    cases: join(read.map(r => r.all)),
    failures: join(read.map(r => r.failed))?.map(c => c.id),
  };
}

function join(lists: readonly (Cases | undefined)[]): Cases | undefined {
  const known = lists.filter(list => list !== undefined);
  if (known.length < lists.length) return undefined;
  const cases = uniqueCases(known.flat());
  return cases === 'too-large' ? undefined : cases;
}
