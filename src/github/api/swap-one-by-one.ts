/** Refs changed one after another over REST, where GitHub cannot change them together. */
import { PhotonError } from '../../codes.ts';
import { type GitHub, noRetry, splitRepository } from './github.ts';
import { githubError, sayingOf, statusOf } from './github-errors.ts';
import { type RefChange, type RefPlace, readRef, readRefs, type Swapped } from './ref-change.ts';
import { withTimeLeft } from './request-limit.ts';

/**
 * Changes refs in the order that is given, each after a look that it still is what was seen. A ref is
 * created, moved forward or deleted, never forced: of two runs that create or move one, GitHub lets
 * one through. When a change fails, the refs that were created before it are deleted again.
 * @throws PhotonError `FORCE_PUSH_FORBIDDEN` before anything is written; else as `swapRefs`.
 */
export async function swapOneByOne(
  github: GitHub,
  place: RefPlace,
  changes: readonly RefChange[],
): Promise<Swapped> {
  for (const change of changes) await requireForward(github, place, change);
  const created: RefChange[] = [];
  try {
    for (const change of changes) {
      const said = await make(github, place, change);
      if (said !== null) {
        await remove(github, place, created);
        const later = await withTimeLeft(github, place.rescue);
        return { ok: false, said, now: await readRefs(later, place.repository, changes) };
      }
      if (change.before === null) created.push(change);
    }
    return { ok: true };
  } catch (error) {
    await remove(github, place, created);
    throw error;
  }
}

/** Refuses what only a force push could do: it would overwrite what came since the look. */
async function requireForward(
  github: GitHub,
  { repository }: RefPlace,
  { name, before, after, forward = false }: RefChange,
): Promise<void> {
  if (forward || before === null || after === null) return;
  const basehead = `${before}...${after}`;
  const { data } = await github.rest.repos.compareCommitsWithBasehead({
    ...splitRepository(repository),
    basehead,
    per_page: 1,
  });
  if (data.status === 'ahead' || data.status === 'identical') return;
  throw new PhotonError('FORCE_PUSH_FORBIDDEN', `${name} can only be moved forward here.`);
}

/** One change. @returns null when it is made, or what GitHub said when the ref is something else. */
async function make(
  github: GitHub,
  { repository, rescue }: RefPlace,
  change: RefChange,
): Promise<string | null> {
  const { name, before, after } = change;
  const other = `${name} is no longer what it was`;
  try {
    const now = await readRef(github, repository, name);
    if (now !== before) return now === after ? null : other;
    return (await write(github, repository, change)) === after ? null : other;
  } catch (error) {
    const later = await withTimeLeft(github, rescue);
    if (later.signal.aborted) throw githubError(error, github.signal);
    const read = () => readRef(later, repository, name);
    const now = isRefusal(error)
      ? await read()
      : await later.readWritten(read, found => found !== before);
    if (now === after) return null;
    if (now === before || github.signal.aborted) throw githubError(error, github.signal);
    return sayingOf(error);
  }
}

/** An answer after which nothing is on its way; one that tells of another state may be of a write that was retried. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  const ofState = /already exists|does not exist|fast.?forward/i.test(sayingOf(error));
  return status !== null && status < 500 && !ofState;
}

/** @returns what the ref is then: a create whose reply is lost may have come second. */
async function write(
  github: GitHub,
  repository: string,
  { name, before, after }: RefChange,
): Promise<string | null> {
  const { git } = github.rest;
  const where = splitRepository(repository);
  const ref = name.replace(/^refs\//, '');
  if (after === null) await git.deleteRef({ ...where, ref });
  else if (before !== null) await git.updateRef({ ...where, ref, sha: after, force: false });
  else
    return github.createOnce<string>(
      async () => {
        await git.createRef({ ...where, ref: name, sha: after, ...noRetry });
        return after;
      },
      () => readRef(github, repository, name),
    );
  return after;
}

/** Deletes again what was created; a failure here is told, the first one counts. */
async function remove(
  github: GitHub,
  place: RefPlace,
  created: readonly RefChange[],
): Promise<void> {
  for (const { name, after } of created.toReversed())
    try {
      const later = await withTimeLeft(github, place.rescue);
      await make(later, place, { name, before: after, after: null });
    } catch (error) {
      github.log(`GitHub: ${name} could not be deleted again: ${sayingOf(error)}`);
    }
}
