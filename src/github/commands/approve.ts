/** `/photon approve DIGEST`: a person's yes to exactly one plan. */
import type { Code } from '../../codes.ts';
import { authorise } from '../authorise.ts';
import { splitRepository, withCodes } from '../client.ts';
import { isOwn, listComments } from '../comment.ts';
import { type Planned, type Refused, refused } from '../planned.ts';
import { openPlan, type WaitingPlan } from './approval.ts';
import type { Serving } from './serve-command.ts';

/**
 * The run of an approved plan, or why there is none: the digest must be that of a plan in Photon's
 * own comment here, who asked for it must still be somebody who may, and the code must be the one
 * that the plan was made for.
 * @throws PhotonError `GITHUB_*`.
 */
export async function approvePlan(serving: Serving): Promise<Planned | Refused> {
  const { command, ground } = serving;
  const digest = (/^[0-9a-f]{20}\b/i.exec(command.words.trim())?.[0] ?? '').toLowerCase();
  const waiting = await findWaiting(serving, digest);
  if (waiting === null) return refused('abstained', 'APPROVAL_UNKNOWN');
  const { task, plan, baseCommit } = waiting;
  const by = command.author.login;
  if (ground.settings.triggers.approveByOther && by.toLowerCase() === task.askedBy.toLowerCase())
    return refused('abstained', 'APPROVAL_BY_ASKER');
  if (baseCommit !== ground.baseCommit) return refused('abstained', 'APPROVAL_OUTDATED');
  const stale = await staleHead(serving, waiting);
  if (stale !== null) return refused('abstained', stale);
  const { until: _until, ...rest } = task;
  return { task: { ...rest, approved: { plan, digest, by } } };
}

async function findWaiting(serving: Serving, digest: string): Promise<WaitingPlan | null> {
  const { github, ground, command, making } = serving;
  const { repository, settings } = ground;
  const { number } = command.conversation;
  const self = await github.self();
  const comments = await listComments(github, repository, number);
  for (const comment of comments.filter(c => isOwn(c, self)).reverse()) {
    const place = { key: settings.apiKey, repository, number };
    const waiting = openPlan(comment.body ?? '', digest, place);
    if (waiting === null) continue;
    const asker = { login: waiting.task.askedBy, id: 0, type: typeOf(waiting.task.askedBy) };
    const hearing = { repository, heard: making.triggers };
    return (await authorise(github, hearing, asker)).allowed ? waiting : null;
  }
  return null;
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
