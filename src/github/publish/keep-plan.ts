/** A run that ended with its plan: the plan is kept, so that a person can approve exactly it. */
import type { Delivery } from '../../agent/run/run.ts';
import type { Walk } from '../../agent/run/run-context.ts';
import { redactTexts } from '../../guard/secrets.ts';
import { messageOf as sayingOf } from '../api/github-errors.ts';
import type { Opened } from '../context/open-run.ts';
import { keepPlan } from './approval.ts';

/**
 * Puts the plan's digest on the walk. Where the plan cannot be kept the ending stands, without a
 * digest and with a note that says why it cannot be approved.
 */
export async function keepWaiting(walk: Walk, opened: Opened, ending: Delivery): Promise<Delivery> {
  const { task, progress } = walk;
  const plan = progress?.evidence.plan;
  if (ending.code !== 'PLAN_POSTED' && ending.code !== 'APPROVAL_NEEDED') return ending;
  if (task?.conversation === undefined || !plan) return ending;
  // what the model wrote is kept without secrets, as everything that is posted
  const clean = redactTexts(plan, opened.scrub);
  const { repository, git, now } = opened;
  const place = { repository, number: task.conversation.number, nowMs: now() };
  try {
    const github = await opened.github();
    walk.planDigest = await keepPlan(github, { task, plan: clean, baseCommit: git.commit }, place);
  } catch (error) {
    const why = `The plan cannot be approved, since it could not be kept: ${sayingOf(error)}`;
    walk.notes = [...walk.notes, `${why} Photon needs contents: write for that.`];
  }
  return ending;
}
