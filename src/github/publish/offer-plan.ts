/** A run that ended with its plan: the plan is kept, so that a person can approve exactly that plan. */
import type { Delivery, RunStage } from '../../agent/run/stages.ts';
import { redactTexts } from '../../guard/secrets/secrets.ts';
import { messageOf } from '../api/github-errors.ts';
import type { GitHubEnvironment } from '../context/open-environment.ts';
import { keepPlan } from './approval.ts';

/**
 * Keeps the plan and adds its digest to the ending. When the plan cannot be kept, the ending stands without a
 * digest, and a note says why it cannot be approved.
 */
export async function offerPlan(
  stage: RunStage,
  environment: GitHubEnvironment,
  ending: Delivery,
): Promise<Delivery> {
  if (ending.code !== 'PLAN_POSTED' && ending.code !== 'APPROVAL_NEEDED') return ending;
  if (!('state' in stage)) return ending;
  const { task } = stage;
  const { plan } = stage.state.evidence;
  if (task.conversation === undefined || !plan) return ending;
  // the model's text is kept without secrets, like everything that is posted
  const clean = redactTexts(plan, environment.scrub);
  const { repository, git, now } = environment;
  const place = { repository, number: task.conversation.number, nowMs: now() };
  try {
    const github = await environment.github();
    const kept = { task, plan: clean, baseCommit: git.commit };
    return { ...ending, planDigest: await keepPlan(github, kept, place) };
  } catch (error) {
    const why = `The plan could not be kept, so it cannot be approved: ${messageOf(error)}`;
    stage.note(`${why} Photon needs contents: write for that.`);
    return ending;
  }
}
