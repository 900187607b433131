/** Brings a patch to its target: GitHub, a file or the work tree. */
import type { DeliveryMode } from '../../../run/delivery-mode.ts';
import { factsOf } from '../../../run/end-run.ts';
import { moveToBase } from '../../../run/move-to-base.ts';
import { outcomeOf } from '../../../run/outcome-of.ts';
import { reach, type Delivery, type ProvenRun } from '../../../run/stages.ts';
import { provePatch } from '../../../run/prove.ts';
import { patchMessage, type Ending, type PatchCode, type Staged, type Status } from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';
import { applyToCheckout } from '../../../workspace/files/apply-to-checkout.ts';
import { readRef } from '../api/refs.ts';
import type { GitHubEnvironment } from '../context/open-environment.ts';
import { branchOf } from '../parse/new-task.ts';
import { deliverOnGitHub, lookOf, type PatchToDeliver } from './deliver.ts';

/**
 * Brings the patch to the target of the run; a dry run leaves the last step out.
 * @throws PhotonError those of `deliverOnGitHub`, `moveToBase` and `provePatch`; `DISK`.
 */
export async function deliverPatch(
  environment: GitHubEnvironment,
  patch: PatchToDeliver,
): Promise<Delivery> {
  const { run, ending, texts, tracker, limit } = patch;
  const { mode, input } = run;
  if (mode.target === 'publish') return deliverOnGitHub(environment, patch);
  const newer = await input.taker?.newBase();
  const moved = newer ? await moveToBase(run, newer) : { run, ending: null };
  reach(tracker, moved.run);
  if (moved.ending !== null) return moved.ending;
  const proven = reach(tracker, await provePatch(moved.run));
  await limit.check();
  const { verification } = proven.state;
  const as = (status: Status, code: PatchCode): Ending => {
    return { ...ending, status, code, message: patchMessage(code, verification) };
  };
  if (mode.target === 'stage') {
    const staged = stageDelivery(environment, { run: proven, ending, texts });
    return { ...as('previewed', 'STAGED'), staged };
  }
  if (mode.target === 'report') return as('previewed', 'DRY_RUN');
  input.taker?.take(proven.changes);
  const { id, changes } = proven;
  if (mode.target === 'apply')
    applyToCheckout(environment.git.checkout, { run: id, at: input.now(), changes });
  tracker.delivered =
    mode.target === 'apply'
      ? { ...as('applied', 'APPLIED'), delivered: { kind: 'applied', operation: 'created' } }
      : { ...as('written', 'PATCH_WRITTEN'), delivered: { kind: 'patch', operation: 'created' } };
  return tracker.delivered;
}

/** The pull request that a staged run would open. */
function stageDelivery(
  environment: GitHubEnvironment,
  { run, ending, texts }: { readonly run: ProvenRun } & Pick<PatchToDeliver, 'ending' | 'texts'>,
): Staged {
  const { task } = run;
  const outcome = outcomeOf(ending, factsOf(run));
  const { labels, draft } = lookOf(environment, task, outcome);
  const about = { startsNoWorkflow: false, startedWorkflow: '' };
  const { title, body } = texts.pullRequest(outcome, about);
  const branch = branchOf(task, environment.settings);
  return { branch, base: task.baseRef, title, body, labels, draft };
}

/** The head of a task's branch, read while the run works. */
export interface BranchWatch {
  readonly onRound: (round: number) => void;
  /** Null when the branch is not there; undefined when it was not read. */
  readonly head: () => Promise<string | null | undefined> | undefined;
}

/**
 * Reads the head of a task's branch as the second round begins, in the background: the first
 * request to the model does not wait for it. A later commit of another run is not overwritten.
 */
export function watchBranch(
  environment: GitHubEnvironment,
  task: Task,
  { target }: DeliveryMode,
): BranchWatch {
  const { settings, repository } = environment;
  let head: Promise<string | null | undefined> | undefined;
  const onRound = (round: number) => {
    if (round !== 2 || target !== 'publish' || repository === '') return;
    const name = `refs/heads/${branchOf(task, settings)}`;
    head = environment
      .github()
      .then(github => readRef(github, repository, name))
      .catch(() => undefined); // a failure counts as not read
  };
  return { onRound, head: () => head };
}
