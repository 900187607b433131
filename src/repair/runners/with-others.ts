/** Tests that build on each other: a failing case that ends otherwise without the others of its file runs with them. */
import { coldFurther } from './cold.ts';
import type { CaseResult, RunnerAdapter, Stage, TestRunner } from './test-runner.ts';

/** Completes the stages of jobs for the tests of an adapter. */
export type Complete = (runner: TestRunner, stages: readonly Stage[]) => Promise<readonly Stage[]>;

/**
 * Opens it for an adapter. The first time that a stage has some failing cases only, it runs without a change. If one of
 * them ends otherwise than in the whole run, all cases of its files belong to the stage, and the log says so.
 */
export function openComplete(
  { base, further }: Pick<RunnerAdapter, 'base' | 'further'>,
  log: (line: string) => void,
): Complete {
  const before = new Map(base.map(c => [c.id, c]));
  const isFailing = (id: string) => before.get(id)?.status === 'failed';
  const checked = new Map<string, Promise<boolean>>();
  const findOther = async (runner: TestRunner, stage: Stage, coverage: boolean) => {
    const { cases } = await runner.run({ files: {}, stages: [stage], bail: false, coverage });
    const alone = new Map(cases.map(c => [c.id, c]));
    return stage.only?.find(id => !isAlike(before.get(id), alone.get(id)));
  };
  const endAlike = async (runner: TestRunner, stage: Stage): Promise<boolean> => {
    // the messages of the base may be those of a run with coverage: pytest that each job configures anew explains assertions there only
    const other = (await findOther(runner, stage, false)) && (await findOther(runner, stage, true));
    if (other !== undefined)
      log(
        `Repair: "${other.slice(0, 200)}" ends otherwise without the other tests of its file, so they run with it.`,
      );
    return other === undefined;
  };
  return async (runner, stages) => {
    // a process runs whole files
    if (further <= coldFurther) return stages;
    const whole: Stage[] = [];
    for (const stage of stages) {
      const { tests, only } = stage;
      const isChecked = only !== null && only.length > 0 && only.every(isFailing);
      if (!isChecked) {
        whole.push(stage);
        continue;
      }
      const key = only.join('\n');
      const known = checked.get(key) ?? endAlike(runner, stage);
      checked.set(key, known);
      whole.push((await known) ? stage : { tests, only: null });
    }
    return whole;
  };
}

/** True if a case failed with the same values, or, where it shows none, with the same message but for addresses. */
function isAlike(one: CaseResult | undefined, other: CaseResult | undefined): boolean {
  if (one === undefined || other === undefined || one.status !== other.status) return false;
  const textOf = ({ compared, message = '' }: CaseResult) =>
    (compared?.actual ?? message).replace(/\b0x[0-9a-f]+/g, '');
  return textOf(one) === textOf(other);
}
