/** Finds what keeps a search for repairs from starting, in the first runs of the tests. Pure; outputs are untrusted. */
import { explainMissing, install } from '../../ecosystems/commands/missing-packages.ts';
import type { CaseResult } from './test-runner.ts';

/** The first run of the tests, without a change. */
interface FirstRun {
  readonly cases: readonly CaseResult[];
  /** What the runner printed. */
  readonly output: string;
}

const maxText = 20_000;
const maxExamined = 200;

/** Says which program or package is missing, so that no edit can make the tests pass; undefined if none is seen to be. */
export function findObstacle(
  { cases, output }: FirstRun,
  paths: readonly string[],
): string | undefined {
  const printed = output.slice(-maxText);
  const failed = cases.filter(c => c.status === 'failed').slice(0, maxExamined);
  const texts = cases.length === 0 ? [printed] : failed.map(c => c.message ?? '');
  const program = /(?:^|[\s:])([\w.@/-]+): (?:command )?not found\s*$/m.exec(printed)?.[1];
  const missing =
    texts.map(text => explainMissing(text, paths)).find(found => found !== undefined) ??
    (cases.length > 0 || program === undefined
      ? undefined
      : `The test command starts "${program}", which is not installed.`);
  return missing && `${missing} ${install}`;
}

/** An explanation of why there is no search. */
export interface Stop {
  readonly stop: string;
}

/** The cases that failed in one of two runs of the same code and ended otherwise in the other; `stop` if no other case fails. */
export function judgeFlaky(
  one: readonly CaseResult[],
  other: readonly CaseResult[],
): Stop | { readonly flaky: ReadonlySet<string> } {
  const before = new Map(one.map(c => [c.id, c.status]));
  const flaky = new Set(
    other
      .filter(({ id, status }) => {
        const earlier = before.get(id);
        return earlier !== undefined && earlier !== status && [earlier, status].includes('failed');
      })
      .map(c => c.id),
  );
  const [first] = flaky;
  if (first === undefined || other.some(c => c.status === 'failed' && !flaky.has(c.id)))
    return { flaky };
  return {
    stop: `The test "${first.slice(0, 200)}" failed in one run and passed in another run of the same code. No repair can be told from chance. Make the test reliable, or leave it out of test-command.`,
  };
}

/** The cases without those with these ids. */
export const withoutCases = (
  cases: readonly CaseResult[],
  ids: ReadonlySet<string>,
): readonly CaseResult[] => (ids.size === 0 ? cases : cases.filter(c => !ids.has(c.id)));
