/** A change of refs as data, and a look at one ref. */
import { type GitHub, splitRepository } from './github.ts';
import { statusOf } from './github-errors.ts';
import type { Rescue } from './request-limit.ts';

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

/** A repository whose refs are swapped. */
export interface RefPlace {
  readonly repository: string;
  readonly nodeId: string;
  /** Looks what became of a swap that the end of the run's time cut off. */
  readonly rescue?: Rescue;
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

/** What each ref of a change is now. Throws what Octokit throws. */
export async function readRefs(
  github: GitHub,
  repository: string,
  changes: readonly RefChange[],
): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const { name } of changes) found.set(name, await readRef(github, repository, name));
  return found;
}
