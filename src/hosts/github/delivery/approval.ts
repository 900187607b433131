/** Plans that wait for approval, and `/photon approve`. Each has a ref of its own, so only somebody with write access can make one. */
import { randomBytes } from 'node:crypto';
import type { Code } from '../../../base/codes.ts';
import { digest } from '../../../base/digest.ts';
import type { Plan } from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';
import { redactTexts } from '../../../guard/secrets/secrets.ts';
import type { AttendedRun, Delivery, TaskPlan, TaskRefusal } from '../../host.ts';
import { refuseTask } from '../../planned-task.ts';
import { commitFile, readCommit, readCommittedFile } from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';
import { readPullRequest } from '../api/pull-files.ts';
import { listRefs, type NamedRef, swapRefs } from '../api/refs.ts';
import { authorise } from '../auth/access.ts';
import type { GitHubEnvironment, RepositoryContext } from '../auth/repository-context.ts';
import type { ThreadRequest } from '../parse/event.ts';

/** What a person approves: the task, the plan, and the commit that they apply to. */
export interface WaitingPlan {
  readonly task: Task;
  readonly plan: Plan;
  readonly baseCommit: string;
}

/** The conversation that shows the plan. The plan can be approved only there. */
interface PlanConversation {
  readonly repository: string;
  readonly number: number;
}

/** A plan with the ref that holds it. */
interface KeptPlan extends WaitingPlan {
  readonly ref: NamedRef;
}

const folder = 'refs/photon/plans/';
const file = 'plan.json';
const keptMs = 30 * 86_400_000;
/** Maximum number of old plans that one run removes. */
const maxRemoved = 5;

/**
 * Keeps a plan until it is approved, for thirty days at most.
 * @returns the twenty hexadecimal digits that approve it. They cover the plan, the conversation and a
 * random part, so each plan has its own.
 * @throws PhotonError `GITHUB_*` when the token cannot write refs.
 */
export async function keepPlan(
  github: GitHub,
  waiting: WaitingPlan,
  place: PlanConversation & { readonly nowMs: number },
): Promise<string> {
  const { repository, number, nowMs } = place;
  const nonce = randomBytes(16).toString('hex');
  const text = JSON.stringify({ ...waiting, repository, number, nonce });
  const digest = hashText(text);
  const message = `Plan ${digest} waits for approval\n`;
  const sha = await commitFile(github, { path: file, text, message });
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  const name = `${folder}${day}-${digest}`;
  await swapRefs(github, [{ name, before: undefined, after: sha }]);
  await removeOld(github, nowMs);
  return digest;
}

/**
 * Finds the plan with this digest that waits in this conversation, or undefined. `byBot`:
 * GitHub must have signed its commit for a bot. A person who only pushes cannot get that signature.
 * @throws PhotonError `GITHUB_*`.
 */
async function findPlan(
  github: GitHub,
  digest: string,
  { repository, number, byBot }: PlanConversation & { readonly byBot: boolean },
): Promise<KeptPlan | undefined> {
  if (!/^[0-9a-f]{20}$/.test(digest)) return undefined;
  for (const ref of await listRefs(github, folder)) {
    if (!ref.name.endsWith(`-${digest}`)) continue;
    const text = await readCommittedFile(github, { commit: ref.sha, path: file });
    if (hashText(text) !== digest) continue;
    const { verified, by } = await readCommit(github, ref.sha);
    if (byBot && !(verified && by !== 'person')) continue;
    const kept = JSON.parse(text) as WaitingPlan & PlanConversation;
    if (kept.repository === repository && kept.number === number) return { ...kept, ref };
  }
  return undefined;
}

/**
 * Takes a plan for its one run; false when another run was faster. The ref is first set to a commit
 * that only this run knows: if the ref were only deleted, another run could have been the one that
 * deleted it. @throws PhotonError `GITHUB_*`.
 */
async function takePlan(github: GitHub, { ref: { name, sha } }: KeptPlan): Promise<boolean> {
  const text = randomBytes(16).toString('hex');
  const taken = await commitFile(github, { path: 'taken', text, message: 'Plan taken\n' });
  if (!(await swapRefs(github, [{ name, before: sha, after: taken }])).ok) return false;
  const removed = swapRefs(github, [{ name, before: taken, after: null }]);
  // the ref holds no plan any more; if it stays, it is removed with the old plans
  await removed.catch((error: unknown) =>
    github.log(`GitHub: Photon could not remove ${name}: ${formatMessage(error)}`),
  );
  return true;
}

function hashText(text: string): string {
  return digest(text).slice(0, 20);
}

/** Removes plans that nobody approved in time. What cannot be removed is left to the next run. */
async function removeOld(github: GitHub, nowMs: number): Promise<void> {
  try {
    const old = (await listRefs(github, folder)).filter(({ name }) => {
      const [, year, month, day] = /(\d{4})(\d\d)(\d\d)-[0-9a-f]{20}$/.exec(name) ?? [];
      return Date.parse(`${year}-${month}-${day}`) < nowMs - keptMs;
    });
    for (const { name, sha } of old.slice(0, maxRemoved))
      await swapRefs(github, [{ name, before: sha, after: null }]);
  } catch (error) {
    github.log(`GitHub: Photon could not remove old plans: ${formatMessage(error)}`);
  }
}

/**
 * Keeps the plan and adds its digest to the ending. When the plan cannot be kept, the ending stands without a
 * digest, and a note says why it cannot be approved.
 */
export async function offerPlan(
  environment: GitHubEnvironment,
  { task, note }: Pick<AttendedRun, 'task' | 'note'>,
  { ending, plan }: { readonly ending: Delivery; readonly plan: Plan | undefined },
): Promise<Delivery> {
  if (ending.code !== 'PLAN_POSTED' && ending.code !== 'APPROVAL_NEEDED') return ending;
  if (task.conversation === undefined || plan === undefined) return ending;
  // the model's text is kept without secrets, like everything that is posted
  const clean = redactTexts(plan, environment.scrub);
  const { repository, git, now } = environment;
  const place = { repository, number: task.conversation.number, nowMs: now() };
  try {
    const { github } = environment;
    const kept = { task, plan: clean, baseCommit: git.commit };
    return { ...ending, planDigest: await keepPlan(github, kept, place) };
  } catch (error) {
    const why = `The plan could not be kept, so it cannot be approved: ${formatMessage(error)}`;
    note(`${why} Photon needs contents: write for that.`);
    return ending;
  }
}

/**
 * The task of an approved plan, or the reason why it cannot run. The digest must belong to a plan that
 * waits in this conversation, the author of its task must still be allowed to give tasks, and the code
 * must be the one that the plan was made for.
 * @throws PhotonError `GITHUB_*`.
 */
export async function approvePlan(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskPlan | TaskRefusal> {
  const { repository, settings } = context;
  const { approveByOther } = settings.triggers;
  const { github } = context;
  const digest = (/^[0-9a-f]{20}\b/i.exec(command.text.trim())?.[0] ?? '').toLowerCase();
  const waiting = await findPlan(github, digest, {
    repository,
    number: command.conversation.number,
    // without a bot's signature a writer could push a plan in another person's name, and approve it
    byBot: approveByOther,
  });
  if (waiting === undefined) return refuseTask('abstained', 'APPROVAL_UNKNOWN');
  const { task, plan, baseCommit } = waiting;
  const type = task.askedBy.endsWith('[bot]') ? 'Bot' : 'User';
  if (!(await authorise(context, { login: task.askedBy, id: 0, type })).allowed)
    return refuseTask('abstained', 'APPROVAL_UNKNOWN');
  const by = command.author.login;
  if (approveByOther && by.toLowerCase() === task.askedBy.toLowerCase())
    return refuseTask('abstained', 'APPROVAL_BY_ASKER');
  if (baseCommit !== context.baseCommit) return refuseTask('abstained', 'APPROVAL_OUTDATED');
  const stale = await staleHead(context, waiting);
  if (stale !== undefined) return refuseTask('abstained', stale);
  if (!(await takePlan(github, waiting))) return refuseTask('abstained', 'APPROVAL_UNKNOWN');
  const { until: _until, ...rest } = task;
  return { task: { ...rest, approved: { plan, digest, by } } };
}

/** The head of a pull request must still be the commit that the plan was made for. */
async function staleHead(
  context: RepositoryContext,
  { task }: WaitingPlan,
): Promise<Code | undefined> {
  const { headBranch } = task;
  if (headBranch === undefined) return undefined;
  const pull = await readPullRequest(context.github, headBranch.number);
  if (pull.state !== 'open') return 'PULL_REQUEST_CLOSED';
  return pull.head.sha === headBranch.sha ? undefined : 'APPROVAL_OUTDATED';
}
