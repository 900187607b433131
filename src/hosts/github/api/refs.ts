/** Reads refs, and changes them by compare-and-swap: each ref changes only while it still is what the caller saw. */
import { type Code, PhotonError } from '../../../base/codes.ts';
import type { GitHub } from './github.ts';
import { allowMissing, githubError, isAnswer } from './github-errors.ts';
import { objectId } from './replies.ts';
import { type Rescue, withTimeLeft } from './request-limit.ts';

/** One ref of a change. */
export interface RefChange {
  /** Full name, `refs/heads/…`. */
  readonly name: string;
  /** Undefined for a ref that does not exist yet. */
  readonly before: string | undefined;
  /** `null` deletes the ref. It has to be said: a value that is missing deletes nothing. */
  readonly after: string | null;
  /** True: `after` must be a descendant of `before`. */
  readonly forward?: boolean;
}

export type RefResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** What each ref of the change points at now. */
      readonly now: ReadonlyMap<string, string | undefined>;
    };

/** Commit of a ref by its full name, or undefined. @throws PhotonError `GITHUB_*`. */
export async function readRef(github: GitHub, name: string): Promise<string | undefined> {
  const { rest, where } = github;
  return (await allowMissing(rest.git.getRef({ ...where, ref: shortName(name) })))?.data.object.sha;
}

/** What each ref of a change points at now. @throws PhotonError `GITHUB_*`. */
async function readRefs(
  github: GitHub,
  changes: readonly RefChange[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for (const { name } of changes) found.set(name, await readRef(github, name));
  return found;
}

/** A ref by its full name, and its commit. */
export interface NamedRef {
  readonly name: string;
  readonly sha: string;
}

/** All refs whose full names begin with this prefix. @throws PhotonError `GITHUB_*`. */
export async function listRefs(
  { rest, where }: GitHub,
  prefix: string,
): Promise<readonly NamedRef[]> {
  const { data } = await rest.git.listMatchingRefs({ ...where, ref: shortName(prefix) });
  return data.map(entry => ({ name: entry.ref, sha: entry.object.sha }));
}

/** True when a commit is the other one or lies on top of it. @throws PhotonError `GITHUB_*`. */
export async function isAncestor(
  github: GitHub,
  { ancestor, commit }: { readonly ancestor: string; readonly commit: string },
): Promise<boolean> {
  const { data } = await github.rest.repos.compareCommitsWithBasehead({
    ...github.where,
    basehead: `${ancestor}...${commit}`,
    per_page: 1,
  });
  return data.status === 'ahead' || data.status === 'identical';
}

/** The API writes refs without `refs/` in most places. */
function shortName(name: string): string {
  return name.replace(/^refs\//, '');
}

const zeros = '0'.repeat(40);

/** An object's name as GraphQL takes it. Anything that is not a name would delete the ref. */
function asOid(id: string | null): string {
  if (id === null) return zeros;
  if (!objectId.safeParse(id).success)
    throw new PhotonError('INTERNAL', 'the new value of a ref is not the name of an object');
  return id;
}

/** A change that the end of the run's time cut off: GitHub may still carry it out. */
export class PendingChange extends PhotonError {}

const mutation = `mutation SwapRefs($input: UpdateRefsInput!) {
  updateRefs(input: $input) { clientMutationId }
}`;

/**
 * Changes several refs in one atomic request. REST cannot do that: its forced update takes no old
 * value. After a lost reply the refs themselves tell whether the change happened. `rescue` finds out what
 * became of a change that the end of the run's time cut off.
 * @throws PendingChange when the time was up and GitHub may still make the change;
 * PhotonError `GITHUB_*` when the result is unknown, or GitHub refuses although no ref moved;
 * `FORCE_PUSH_FORBIDDEN`, `WORKFLOWS_FORBIDDEN` when that is the reason; the signal's reason when the
 * run's time was up before the change.
 */
export async function swapRefs(
  github: GitHub,
  changes: readonly RefChange[],
  rescue?: Rescue,
): Promise<RefResult> {
  const refUpdates = changes.map(({ name, before, after, forward = false }) => ({
    name,
    beforeOid: asOid(before ?? null),
    afterOid: asOid(after),
    force: before !== undefined && !forward,
  }));
  const { data: repository } = await github.rest.repos.get(github.where);
  if (github.signal.aborted) throw githubError(github.signal.reason, github.signal);
  try {
    await github.graphql(mutation, { input: { repositoryId: repository.node_id, refUpdates } });
    return { ok: true };
  } catch (error) {
    const later = await withTimeLeft(github, rescue);
    const { code, message } = githubError(error, github.signal);
    const pending = new PendingChange(code, message, { cause: error });
    if (later.signal.aborted) throw pending;
    const read = () => readRefs(later, changes);
    const hasMoved = (now: ReadonlyMap<string, string | undefined>) =>
      changes.some(c => now.get(c.name) !== c.before);
    // after a refusal no change is pending; after a lost reply one may be
    const now = isAnswer(error) ? await read() : await later.readWritten(read, hasMoved);
    if (changes.every(c => now.get(c.name) === (c.after ?? undefined))) return { ok: true };
    if (github.signal.aborted && !isAnswer(error)) throw pending;
    if (github.signal.aborted || !hasMoved(now)) throw githubError(error, github.signal);
    return { ok: false, now };
  }
}

/** Codes of a change that the token, a rule or the server does not allow. */
const refusals: ReadonlySet<Code> = new Set([
  'GITHUB_REQUEST',
  'GITHUB_AUTH',
  'GITHUB_PERMISSION',
  'BRANCH_RULES',
]);

/** True for codes of a refused name: GitHub does not document its message for refs that it does not accept. */
export function isRefusal(code: Code | undefined): boolean {
  return code !== undefined && refusals.has(code);
}
