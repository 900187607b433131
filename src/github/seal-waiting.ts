/** A run that ended with its plan: the plan is sealed, so that a person can approve exactly it. */
import type { Delivery, Walk } from '../agent/walk.ts';
import { codes } from '../codes.ts';
import { sealPlan } from './commands/approval.ts';
import type { Opened } from './open-run.ts';

/** Puts digest and mark on the walk; a plan that no comment can hold is an ending of its own. */
export function sealWaiting(walk: Walk, opened: Opened, ending: Delivery): Delivery {
  const { task, progress } = walk;
  const plan = progress?.evidence.plan;
  if (ending.code !== 'PLAN_POSTED' && ending.code !== 'APPROVAL_NEEDED') return ending;
  if (task?.conversation === undefined || !plan) return ending;
  // what the model wrote is kept without secrets, as everything that is posted
  const clean = JSON.parse(opened.scrub(JSON.stringify(plan))) as typeof plan;
  const place = {
    ...{ key: opened.settings.apiKey, repository: opened.repository },
    number: task.conversation.number,
  };
  const seal = sealPlan({ task, plan: clean, baseCommit: opened.git.commit }, place);
  if (seal === null) {
    const { meaning } = codes.PLAN_TOO_LARGE;
    return { ...ending, status: 'failed', code: 'PLAN_TOO_LARGE', message: meaning };
  }
  walk.planDigest = seal.digest;
  walk.planMark = seal.mark;
  return ending;
}
