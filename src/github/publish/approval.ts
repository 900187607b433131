/** A plan that waits for approval, kept on a ref of its own: only who may write to the repository makes one. */
import { createHash, randomBytes } from 'node:crypto';
import type { Plan } from '../../outcome.ts';
import type { Task } from '../../task.ts';
import { actorOf, commitFile, readCommittedFile } from '../api/commit-objects.ts';
import { type GitHub, noRetry, splitRepository } from '../api/github.ts';
import { sayingOf, statusOf } from '../api/github-errors.ts';
import { type RefPlace, readRef, swapRefs } from '../api/swap-refs.ts';

/** All that an approval is about: what was asked, what is planned, and on which commit. */
export interface WaitingPlan {
  readonly task: Task;
  readonly plan: Plan;
  readonly baseCommit: string;
}

/** Where the comment stands that shows the plan: it can be approved there alone. */
export interface PlanPlace {
  readonly repository: string;
  readonly number: number;
}

/** A plan as it was found. */
export interface KeptPlan extends WaitingPlan {
  readonly ref: { readonly name: string; readonly sha: string };
}

/** Where refs outside of `heads` and `tags` are refused, the plans are branches. */
const folders = ['photon/plans/', 'heads/photon-plans/'] as const;
const file = 'plan.json';
const keptMs = 30 * 86_400_000;
/** Most old plans that one run removes. */
const maxRemoved = 5;

/**
 * Keeps a plan until it is approved, thirty days at most; the twenty hexadecimal digits that approve
 * it. They are of the plan, the place and a random part, so that each plan has its own.
 * @throws what Octokit throws where the token may not write refs.
 */
export async function keepPlan(
  github: GitHub,
  waiting: WaitingPlan,
  place: PlanPlace & { readonly nowMs: number },
): Promise<string> {
  const { repository, number, nowMs } = place;
  const nonce = randomBytes(16).toString('hex');
  const text = JSON.stringify({ ...waiting, repository, number, nonce });
  const digest = digestOf(text);
  const message = `Plan ${digest} waits for approval\n`;
  const sha = await commitFile(github, repository, { path: file, text, message, parent: null });
  const name = `${new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '')}-${digest}`;
  await createRef(github, repository, { name, sha });
  await removeOld(github, repository, nowMs);
  return digest;
}

/**
 * The plan of this digest that waits here; null when there is none. `byBot`: GitHub must have signed
 * its commit as a bot's, which nobody can who only pushes. Throws what Octokit throws.
 */
export async function findPlan(
  github: GitHub,
  digest: string,
  { repository, number, byBot }: PlanPlace & { readonly byBot: boolean },
): Promise<KeptPlan | null> {
  if (!/^[0-9a-f]{20}$/.test(digest)) return null;
  for (const ref of await listPlans(github, repository)) {
    if (!ref.name.endsWith(`-${digest}`)) continue;
    const text = await readCommittedFile(github, repository, { commit: ref.sha, path: file });
    if (digestOf(text) !== digest) continue;
    if (byBot && !(await isSignedByBot(github, repository, ref.sha))) continue;
    const kept = JSON.parse(text) as WaitingPlan & PlanPlace;
    if (kept.repository === repository && kept.number === number) return { ...kept, ref };
  }
  return null;
}

/**
 * Takes a plan for its one run; false when another run was faster. The ref is first set to a commit that
 * only this run knows: a ref that is gone could have been removed by anybody. Throws what Octokit throws.
 */
export async function takePlan(
  github: GitHub,
  place: RefPlace,
  { ref: { name, sha } }: KeptPlan,
): Promise<boolean> {
  const text = randomBytes(16).toString('hex');
  const taken = await commitFile(github, place.repository, {
    path: 'taken',
    text,
    message: 'Plan taken\n',
    parent: null,
  });
  if (!(await swapRefs(github, place, [{ name, before: sha, after: taken }])).ok) return false;
  const removed = swapRefs(github, place, [{ name, before: taken, after: null }]);
  // it holds no plan any more; what is left of it goes with the old ones
  await removed.catch((error: unknown) =>
    github.log(`GitHub: ${name} could not be removed: ${sayingOf(error)}`),
  );
  return true;
}

async function isSignedByBot(github: GitHub, repository: string, sha: string): Promise<boolean> {
  const where = splitRepository(repository);
  const { data } = await github.rest.git.getCommit({ ...where, commit_sha: sha });
  return data.verification?.verified === true && actorOf(data.author?.email ?? '') !== 'person';
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

async function createRef(
  github: GitHub,
  repository: string,
  { name, sha }: { readonly name: string; readonly sha: string },
): Promise<void> {
  const where = splitRepository(repository);
  // once, since a repeated create would be refused as if the place were
  const [first, second] = folders.map(folder => {
    const ref = `refs/${folder}${name}`;
    return () =>
      github.createOnce(
        async () => (await github.rest.git.createRef({ ...where, ref, sha, ...noRetry })).data.ref,
        () => readRef(github, repository, ref),
      );
  });
  try {
    await first?.();
  } catch (error) {
    if (![403, 404, 422].includes(statusOf(error) ?? 0)) throw error;
    await second?.();
  }
}

async function listPlans(github: GitHub, repository: string): Promise<readonly KeptPlan['ref'][]> {
  const where = splitRepository(repository);
  const found: KeptPlan['ref'][] = [];
  for (const ref of folders) {
    const { data } = await github.rest.git.listMatchingRefs({ ...where, ref });
    found.push(...data.map(each => ({ name: each.ref, sha: each.object.sha })));
  }
  return found;
}

/** Plans that nobody approved in time go; what cannot be removed is left to the next run. */
async function removeOld(github: GitHub, repository: string, nowMs: number): Promise<void> {
  const where = splitRepository(repository);
  try {
    const old = (await listPlans(github, repository)).filter(({ name }) => {
      const [, year, month, day] = /(\d{4})(\d\d)(\d\d)-[0-9a-f]{20}$/.exec(name) ?? [];
      return Date.parse(`${year}-${month}-${day}`) < nowMs - keptMs;
    });
    for (const { name } of old.slice(0, maxRemoved))
      await github.rest.git.deleteRef({ ...where, ref: name.replace(/^refs\//, ''), ...noRetry });
  } catch (error) {
    github.log(`GitHub: old plans could not be removed: ${sayingOf(error)}`);
  }
}
