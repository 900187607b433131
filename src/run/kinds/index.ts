/** The one place that knows the kind of a run by its task. */
import type { Ending } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import type { RunInput } from '../../hosts/host.ts';
import type { Run, RunKind } from '../stages.ts';
import { answer } from './answer.ts';
import { change } from './change.ts';
import { approval, plan } from './plan.ts';
import { withReport } from './report-keeper.ts';
import { review } from './review.ts';

const kinds = { plan, approval, answer, review } as const;

/** The kind of the run that carries out a task. */
export function pickKind(
  { until, alert: finding }: Pick<Task, 'until' | 'alert'>,
  { replay: record }: Pick<RunInput, 'replay'>,
): RunKind {
  if (record !== undefined) return replay;
  if (until !== undefined) return kinds[until];
  return finding === undefined ? change : alert;
}

const unscanned =
  'No scan shows that the finding is gone: set sarif-command to the command of the scanner, with a verification.';

/** A run that repairs the finding of a scanner: a change, after which the scan must not find it any more. */
const alert: RunKind = {
  ...change,
  name: 'alert',
  warning: ({ sarifCommand, require }) =>
    sarifCommand === '' || require === 'none' ? unscanned : undefined,
};

/** A recorded run, played again. The record may be anybody's: it reaches no records and no kept set-ups. */
const replay: RunKind = { ...change, name: 'replay', keeps: false };

/** The ending of a run without a patch, by its kind, with the object that the workflow asks for. */
export async function settle(run: Run, ending: Ending): Promise<Ending> {
  return withReport(run.loop.report, await run.request.kind.settle(run, ending));
}
