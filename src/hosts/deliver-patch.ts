/** Brings a patch to a target on this machine: shown only, a patch file, or the work tree. */
import {
  type Ending,
  type Outcome,
  type PatchCode,
  patchMessage,
  ranPlainly,
  type Status,
} from '../base/outcome.ts';
import type { Task } from '../base/task.ts';
import type { Settings } from '../settings/settings.ts';
import { applyToCheckout } from '../workspace/files/apply-to-checkout.ts';
import type { Delivery, RunEnvironment, VerifiedPatch } from './host.ts';
import { makeBranchName } from './planned-task.ts';

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
}

/** Renders the pull request of a patch. */
export type RenderPullRequest = (
  outcome: Outcome,
  about: { readonly startsNoWorkflow: boolean; readonly startedWorkflow: string },
) => PullRequestText;

/**
 * Brings the patch to the target of the run; a dry run leaves the last step out.
 * @throws PhotonError those of `moveTo` and `prove`; `DISK`.
 */
export async function deliverHere(
  { input, git, settings }: RunEnvironment,
  patch: VerifiedPatch,
  render: RenderPullRequest,
): Promise<Delivery> {
  const { ending, task, mode } = patch;
  const newer = await input.patchReceiver?.newBase();
  const ended = newer ? await patch.moveTo(newer) : undefined;
  if (ended !== undefined) return ended;
  const { changes, outcome } = await patch.prove();
  const as = (status: Status, code: PatchCode): Ending => {
    return { ...ending, status, code, message: patchMessage(code, patch.verification()) };
  };
  if (mode.target === 'stage') {
    const { labels, draft } = getPullLook(settings, task, outcome);
    const { title, body } = render(outcome, { startsNoWorkflow: false, startedWorkflow: '' });
    const branch = makeBranchName(task, settings);
    const staged = { branch, base: task.baseRef, title, body, labels, draft };
    return { ...as('previewed', 'STAGED'), staged };
  }
  if (mode.target === 'report') return as('previewed', 'DRY_RUN');
  input.patchReceiver?.take(changes);
  if (mode.target !== 'apply')
    return patch.delivered({
      ...as('written', 'PATCH_WRITTEN'),
      delivered: { kind: 'patch', operation: 'created' },
    });
  applyToCheckout(git.checkout, { run: patch.run, at: input.now(), changes });
  return patch.delivered({
    ...as('applied', 'APPLIED'),
    delivered: { kind: 'applied', operation: 'created' },
  });
}

/** True for a patch that brings a version of a package with an advisory: a person decides about it. */
export function hasAdvisories({ patch: { packages } }: Outcome): boolean {
  return packages !== undefined && packages.advisories.length > 0;
}

/** How a pull request presents itself. */
export function getPullLook(settings: Settings, task: Task, outcome: Outcome) {
  const flagged =
    ranPlainly(outcome) ||
    outcome.patch.files.some(f => f.flag !== undefined) ||
    (outcome.verification?.warnings ?? []).length > 0 ||
    hasAdvisories(outcome) ||
    (outcome.look?.shown ?? []).length > 0 ||
    (outcome.repair?.warnings ?? []).length > 0;
  const labels = [...new Set([...settings.labels, ...(task.labels ?? [])])];
  return { flagged, labels, draft: settings.draft || flagged };
}
