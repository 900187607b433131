/** Refs changed together or not at all, each only while it still is what was seen (compare-and-swap). */
import { PhotonError } from '../../codes.ts';
import { type GitHub, githubError, sayingOf, splitRepository, statusOf } from '../client.ts';
import { objectId } from '../replies.ts';
import { type Rescue, withTimeLeft } from '../request-limit.ts';

/** One ref of a swap; `null` means that it is not there. */
export interface RefChange {
  /** Full name, `refs/heads/…`. */
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  /** True: only to a descendant of what it was. */
  readonly forward?: boolean;
}

export type Swapped =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** What GitHub said, in one line. */
      readonly said: string;
      /** What each ref of the swap is now. */
      readonly now: ReadonlyMap<string, string | null>;
    };

const none = '0'.repeat(40);

/** How the API writes an object's name, or that there is none: a name that is neither would delete the ref. */
function asOid(id: string | null): string {
  if (id === null) return none;
  if (!objectId.safeParse(id).success)
    throw new PhotonError('INTERNAL', 'a ref was to be set to something that names no object');
  return id;
}

const mutation = `mutation SwapRefs($input: UpdateRefsInput!) {
  updateRefs(input: $input) { clientMutationId }
}`;

/** A repository whose refs are swapped. */
export interface RefPlace {
  readonly repository: string;
  readonly nodeId: string;
  /** Looks what became of a swap that the end of the run's time cut off. */
  readonly rescue?: Rescue;
}

/**
 * Swaps refs in one atomic request. REST cannot: its forced update asks for no old value. A reply
 * that was lost is told from a refusal by what the refs are afterwards.
 * @throws PhotonError `GITHUB_*` when it is not known, or GitHub refuses though nothing moved; the
 * signal's reason when the run's time was up before the swap.
 */
export async function swapRefs(
  github: GitHub,
  place: RefPlace,
  changes: readonly RefChange[],
): Promise<Swapped> {
  const refUpdates = changes.map(({ name, before, after, forward = false }) => ({
    ...{ name, beforeOid: asOid(before), afterOid: asOid(after) },
    force: before !== null && !forward,
  }));
  try {
    await github.graphql(mutation, { input: { repositoryId: place.nodeId, refUpdates } });
    return { ok: true };
  } catch (error) {
    const later = await withTimeLeft(github, place.rescue);
    if (later.signal.aborted) throw githubError(error, github.signal);
    const read = async () => {
      const found = new Map<string, string | null>();
      for (const { name } of changes) found.set(name, await readRef(later, place.repository, name));
      return found;
    };
    const moved = (now: ReadonlyMap<string, string | null>) =>
      changes.some(c => now.get(c.name) !== c.before);
    // after a refusal nothing of this swap is on its way; after a lost reply it may be
    const now = isAnswer(error) ? await read() : await later.readWritten(read, moved);
    if (changes.every(c => now.get(c.name) === c.after)) return { ok: true };
    if (github.signal.aborted) throw githubError(error, github.signal);
    if (moved(now)) return { ok: false, said: sayingOf(error), now };
    if (statusOf(error) !== null || !isAnswer(error)) throw githubError(error, github.signal);
    throw new PhotonError('GITHUB_REQUEST', `GitHub: ${sayingOf(error)}`, { cause: error });
  }
}

/** True for an answer of GraphQL that holds errors; its HTTP status is 200. */
function isAnswer(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'GraphqlResponseError';
}

/** Commit of a ref by its full name; null when there is none. Throws what Octokit throws. */
export async function readRef(
  github: GitHub,
  repository: string,
  name: string,
): Promise<string | null> {
  const where = splitRepository(repository);
  try {
    const ref = name.replace(/^refs\//, '');
    return (await github.rest.git.getRef({ ...where, ref })).data.object.sha;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
