/** Reads refs, and changes them by compare-and-swap: each ref changes only while it still is what the caller saw. */
import { type Code, PhotonError } from '../../../base/codes.ts';
import { type GitHub, noRetry } from './github.ts';
import {
  codeOfRefusal,
  explainRefusal,
  formatMessage,
  getStatus,
  githubError,
} from './github-errors.ts';
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

/** Commit of a ref by its full name; undefined when there is none. @throws PhotonError `GITHUB_*`. */
export async function readRef(github: GitHub, name: string): Promise<string | undefined> {
  try {
    return (await github.rest.git.getRef({ ...github.where, ref: shortName(name) })).data.object
      .sha;
  } catch (error) {
    if (getStatus(error) === 404) return undefined;
    throw error;
  }
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

/** All refs whose full names begin with one of these prefixes. @throws PhotonError `GITHUB_*`. */
export async function listRefs(
  github: GitHub,
  prefixes: readonly string[],
): Promise<readonly NamedRef[]> {
  const found: NamedRef[] = [];
  for (const prefix of prefixes) {
    const { data } = await github.rest.git.listMatchingRefs({
      ...github.where,
      ref: shortName(prefix),
    });
    found.push(...data.map(entry => ({ name: entry.ref, sha: entry.object.sha })));
  }
  return found;
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
export function shortName(name: string): string {
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

const mutation = `mutation SwapRefs($input: UpdateRefsInput!) {
  updateRefs(input: $input) { clientMutationId }
}`;

/**
 * Changes several refs in one atomic request. REST cannot do that: its forced update takes no old
 * value. After a lost reply the refs themselves tell whether the change happened. A server without
 * `updateRefs` gets the changes one by one, in the order given. `rescue` finds out what became of a change
 * that the end of the run's time cut off.
 * @throws PhotonError `GITHUB_*` when the result is unknown, or GitHub refuses although no ref moved;
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
  if (!github.refs.together) return swapOneByOne(github, changes, rescue);
  const { data: repository } = await github.rest.repos.get(github.where);
  try {
    await github.graphql(mutation, { input: { repositoryId: repository.node_id, refUpdates } });
    return { ok: true };
  } catch (error) {
    if (isUnknown(error)) {
      github.refs.together = false;
      github.log(
        'GitHub: this server does not support updateRefs. Photon compares and sets the refs one by one.',
      );
      return swapOneByOne(github, changes, rescue);
    }
    const later = await withTimeLeft(github, rescue);
    if (later.signal.aborted) throw githubError(error, github.signal);
    const read = () => readRefs(later, changes);
    const moved = (now: ReadonlyMap<string, string | undefined>) =>
      changes.some(c => now.get(c.name) !== c.before);
    // after a refusal no change is pending; after a lost reply one may be
    const now = isAnswer(error) ? await read() : await later.readWritten(read, moved);
    if (changes.every(c => now.get(c.name) === (c.after ?? undefined))) return { ok: true };
    if (github.signal.aborted) throw githubError(error, github.signal);
    if (moved(now)) return { ok: false, now };
    if (getStatus(error) !== undefined || !isAnswer(error)) throw githubError(error, github.signal);
    const reason = formatMessage(error);
    const special = codeOfRefusal(reason);
    if (special !== undefined)
      throw new PhotonError(special, `GitHub: ${reason}`, { cause: error });
    const status = /not accessible|permission/i.test(reason) ? 403 : 422;
    const request = 'the change of the branches';
    const { code, hint } = explainRefusal({
      status,
      message: reason,
      headers: {},
      errors: [],
      request,
    });
    throw new PhotonError(code, `GitHub: ${reason}`, { hint, cause: error });
  }
}

/** True for a GraphQL reply that holds errors; its HTTP status is 200. */
function isAnswer(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'GraphqlResponseError';
}

/** True when the server does not know the mutation: GitHub Enterprise Server before 3.16. */
function isUnknown(error: unknown): boolean {
  const { errors } = error as { errors?: readonly { message?: unknown }[] };
  return (
    isAnswer(error) &&
    (errors ?? []).some(e => /^Field 'updateRefs' doesn't exist/.test(String(e.message)))
  );
}

/**
 * Changes refs over REST in the order given, and compares each first. A ref is created, moved forward
 * or deleted, never forced: when two runs create or move the same ref, GitHub accepts one of them.
 * When a change fails, those before it stay.
 * @throws PhotonError `FORCE_PUSH_FORBIDDEN` before anything is written; else as `swapRefs`.
 */
async function swapOneByOne(
  github: GitHub,
  changes: readonly RefChange[],
  rescue: Rescue,
): Promise<RefResult> {
  for (const change of changes) await requireForward(github, change);
  for (const change of changes) {
    if (await changeRef(github, change, rescue)) continue;
    return { ok: false, now: await readRefs(await withTimeLeft(github, rescue), changes) };
  }
  return { ok: true };
}

/**
 * Creates, moves forward or deletes one ref over REST.
 * @returns true when the ref is `after`, false when it is something else by now.
 * @throws PhotonError as `swapRefs`.
 */
export async function changeRef(
  github: GitHub,
  change: RefChange,
  rescue?: Rescue,
): Promise<boolean> {
  const { name, before } = change;
  const after = change.after ?? undefined;
  try {
    const now = await readRef(github, name);
    return (now === before ? await write(github, change) : now) === after;
  } catch (error) {
    const later = await withTimeLeft(github, rescue);
    if (later.signal.aborted) throw githubError(error, github.signal);
    const read = () => readRef(later, name);
    const now = isFinalRefusal(error)
      ? await read()
      : await later.readWritten(read, found => found !== before);
    if (now === after) return true;
    if (now === before || github.signal.aborted) throw githubError(error, github.signal);
    return false;
  }
}

/**
 * Creates a ref under the first of several names that GitHub accepts. Some servers accept refs only
 * below `heads` and `tags`.
 * @returns true when the ref was created, false when one of that name exists.
 * @throws PhotonError `GITHUB_*` when GitHub refuses the last name, too.
 */
export async function createRef(
  github: GitHub,
  { names, sha }: { readonly names: readonly [string, ...string[]]; readonly sha: string },
): Promise<boolean> {
  const [name, next, ...others] = names;
  try {
    return await changeRef(github, { name, before: undefined, after: sha });
  } catch (error) {
    if (next === undefined || !isRefusal((error as { code?: Code }).code)) throw error;
    github.log(`GitHub refuses ${name} (${formatMessage(error)}). Photon uses ${next} instead.`);
    return createRef(github, { names: [next, ...others], sha });
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

/** Refuses a change that only a force push could make: it would overwrite what came since the comparison. */
async function requireForward(
  github: GitHub,
  { name, before, after, forward = false }: RefChange,
): Promise<void> {
  if (forward || before === undefined || after === null) return;
  if (await isAncestor(github, { ancestor: before, commit: after })) return;
  throw new PhotonError('FORCE_PUSH_FORBIDDEN', `${name} can only be moved forward here.`);
}

/**
 * True for a refusal after which no write is pending. A refusal because of the ref's state may answer
 * the second try of a write that had succeeded.
 */
function isFinalRefusal(error: unknown): boolean {
  const status = getStatus(error);
  const ofState = /already exists|does not exist|fast.?forward/i.test(formatMessage(error));
  return status !== undefined && status < 500 && !ofState;
}

/** @returns what the ref is then: when the reply to a create is lost, another run may have been first. */
async function write(
  github: GitHub,
  { name, before, after }: RefChange,
): Promise<string | undefined> {
  const { git } = github.rest;
  const ref = shortName(name);
  if (after === null) await git.deleteRef({ ...github.where, ref });
  else if (before !== undefined)
    await git.updateRef({ ...github.where, ref, sha: after, force: false });
  else
    return github.createOnce<string>(
      async () => {
        await git.createRef({ ...github.where, ref: name, sha: after, ...noRetry });
        return after;
      },
      () => readRef(github, name),
    );
  return after ?? undefined;
}
