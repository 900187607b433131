/** Tells a model that is asked to repair failing tests which ones fail and what they print: a part of its task. */
import { PhotonError } from '../base/codes.ts';
import { showOutput } from '../base/outcome.ts';
import { readOutside } from '../guard/content/outside-text.ts';
import { asksForRepair } from '../repair/engine.ts';
import { describeRepairTask } from './repair-context.ts';
import type { ServedRun } from './stages.ts';

/** Most time that a model waits for the tests, in milliseconds and as a share of the time of the run that is left. */
const maxMs = 60_000;
const share = 0.1;

/** The run with a text more in its task, if a model is asked to repair failing tests and the tests fail, or cannot run, without a patch. */
export async function withFailingTests(run: ServedRun): Promise<ServedRun> {
  const { request, services } = run;
  const { verifier } = services;
  const { task, kind, engine, environment, input, limit, scrub } = request;
  const mayHelp = engine.asksAModel && input.replay === undefined && kind.changes;
  if (!mayHelp || verifier === undefined || !asksForRepair(describeRepairTask(task))) return run;
  // the verification of the patch needs the same run
  verifier.startBaseline();
  const waitMs = Math.min(maxMs, Math.max(0, limit.deadline - input.now()) * share);
  const ended = new AbortController();
  const printed = await Promise.race([
    verifier
      .run([])
      .then(({ run: ran }) => (ran.passed ? '' : showOutput(ran)), describeUnrunnable),
    limit.pause(waitMs, ended.signal),
  ]).finally(() => ended.abort());
  const label = environment.taskTexts('failing_label', {});
  const { text } = readOutside('tool result', scrub(printed ?? ''));
  if (text.trim() === '') return run;
  return {
    ...run,
    request: {
      ...request,
      task: { ...task, context: [...task.context, { label, author: 'Photon', text }] },
    },
  };
}

/** What is said of a test command that cannot run; another error is for the verification, which gets it again. */
function describeUnrunnable(error: unknown): string {
  return error instanceof PhotonError && error.code === 'TEST_COMMAND_UNRUNNABLE'
    ? error.message
    : '';
}
