/** Refs changed together or not at all, each only while it still is what was seen (compare-and-swap). */
import { PhotonError } from '../../codes.ts';
import type { GitHub } from './github.ts';
import { githubError, sayingOf, statusOf } from './github-errors.ts';
import { codeOfRefusal } from './push-rules.ts';
import { type RefChange, type RefPlace, readRefs, type Swapped } from './ref-change.ts';
import { objectId } from './replies.ts';
import { withTimeLeft } from './request-limit.ts';
import { swapOneByOne } from './swap-one-by-one.ts';

export { type RefChange, type RefPlace, readRef, type Swapped } from './ref-change.ts';

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

/**
 * Swaps refs in one atomic request. REST cannot: its forced update asks for no old value. A reply
 * that was lost is told from a refusal by what the refs are afterwards. A server without `updateRefs`
 * changes them one by one, in the order that is given.
 * @throws PhotonError `GITHUB_*` when it is not known, or GitHub refuses though nothing moved;
 * `FORCE_PUSH_FORBIDDEN`, `WORKFLOWS_FORBIDDEN` where that is why; the signal's reason when the run's
 * time was up before the swap.
 */
export async function swapRefs(
  github: GitHub,
  place: RefPlace,
  changes: readonly RefChange[],
): Promise<Swapped> {
  const refUpdates = changes.map(({ name, before, after, forward = false }) => ({
    name,
    beforeOid: asOid(before),
    afterOid: asOid(after),
    force: before !== null && !forward,
  }));
  if (!github.refs.together) return swapOneByOne(github, place, changes);
  try {
    await github.graphql(mutation, { input: { repositoryId: place.nodeId, refUpdates } });
    return { ok: true };
  } catch (error) {
    if (isUnknown(error)) {
      github.refs.together = false;
      github.log(`GitHub: ${oneByOne}`);
      return swapOneByOne(github, place, changes);
    }
    const later = await withTimeLeft(github, place.rescue);
    if (later.signal.aborted) throw githubError(error, github.signal);
    const read = () => readRefs(later, place.repository, changes);
    const moved = (now: ReadonlyMap<string, string | null>) =>
      changes.some(c => now.get(c.name) !== c.before);
    // after a refusal nothing of this swap is on its way; after a lost reply it may be
    const now = isAnswer(error) ? await read() : await later.readWritten(read, moved);
    if (changes.every(c => now.get(c.name) === c.after)) return { ok: true };
    if (github.signal.aborted) throw githubError(error, github.signal);
    if (moved(now)) return { ok: false, said: sayingOf(error), now };
    if (statusOf(error) !== null || !isAnswer(error)) throw githubError(error, github.signal);
    const said = sayingOf(error);
    const code = codeOfRefusal(said) ?? 'GITHUB_REQUEST';
    throw new PhotonError(code, `GitHub: ${said}`, { cause: error });
  }
}

const oneByOne =
  'This server has no updateRefs: refs were compared and set one by one, so a push at the same moment could go unseen.';

/** What a reader of the outcome must know of how refs were changed. */
export function swapNotes({ refs }: GitHub): readonly string[] {
  return refs.together ? [] : [oneByOne];
}

/** True for an answer of GraphQL that holds errors; its HTTP status is 200. */
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
