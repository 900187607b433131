/** `/photon approve DIGEST`: a person's yes to exactly one plan. */
import type { Code } from '../../codes.ts';
import { splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { authorise } from '../auth/authorise.ts';
import { type Planned, type Refused, refused } from '../events/planned-task.ts';
import { findPlan, takePlan, type WaitingPlan } from '../publish/approval.ts';
import type { Serving } from './command-context.ts';

/**
 * The run of an approved plan, or why there is none: the digest must be that of a plan that
 * Photon keeps for this place, who asked for it must still be somebody who may, and the code must be the one
 * that the plan was made for.
 * @throws PhotonError `GITHUB_*`.
 */
export async function approvePlan(serving: Serving): Promise<Planned | Refused> {
  const { command, ground, github } = serving;
  const digest = (/^[0-9a-f]{20}\b/i.exec(command.words.trim())?.[0] ?? '').toLowerCase();
  const waiting = await findPlan(github, digest, {
    repository: ground.repository,
    number: command.conversation.number,
    // a writer could push a plan in another's name, and then approve it as their own second pair of eyes
    byBot: ground.settings.triggers.approveByOther,
  });
  if (waiting === null || !(await mayAsk(serving, waiting)))
    return refused('abstained', 'APPROVAL_UNKNOWN');
  const { task, plan, baseCommit } = waiting;
  const by = command.author.login;
  if (ground.settings.triggers.approveByOther && by.toLowerCase() === task.askedBy.toLowerCase())
    return refused('abstained', 'APPROVAL_BY_ASKER');
  if (baseCommit !== ground.baseCommit) return refused('abstained', 'APPROVAL_OUTDATED');
  const stale = await staleHead(serving, waiting);
  if (stale !== null) return refused('abstained', stale);
  const { repository } = ground;
  const { data } = await github.rest.repos.get(splitRepository(repository));
  if (!(await takePlan(github, { repository, nodeId: data.node_id }, waiting)))
    return refused('abstained', 'APPROVAL_UNKNOWN');
  const { until: _until, ...rest } = task;
  return { task: { ...rest, approved: { plan, digest, by } } };
}

/** Who asked for the plan must still be somebody who may. */
async function mayAsk(
  { github, ground, making }: Serving,
  { task }: WaitingPlan,
): Promise<boolean> {
  const asker = { login: task.askedBy, id: 0, type: typeOf(task.askedBy) };
  const scope = { repository: ground.repository, allowedActors: making.triggers };
  return (await authorise(github, scope, asker)).allowed;
}

function typeOf(login: string): string {
  return login.endsWith('[bot]') ? 'Bot' : 'User';
}

/** On a pull request its head must still be the commit that the plan was made for. */
async function staleHead({ github }: Serving, { task }: WaitingPlan): Promise<Code | null> {
  const { headBranch } = task;
  if (headBranch === undefined) return null;
  const { data: pull } = await withCodes(github, () =>
    github.rest.pulls.get({ ...splitRepository(task.repository), pull_number: headBranch.number }),
  );
  if (pull.state !== 'open') return 'PULL_REQUEST_CLOSED';
  return pull.head.sha === headBranch.sha ? null : 'APPROVAL_OUTDATED';
}
