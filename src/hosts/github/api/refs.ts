/** Reads refs, and describes a change of refs as data. */
import type { GitHub } from './github.ts';
import { getStatus } from './github-errors.ts';
import type { Rescue } from './request-limit.ts';

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
      /** GitHub's reason, in one line. */
      readonly reason: string;
      /** What each ref of the change points at now. */
      readonly now: ReadonlyMap<string, string | undefined>;
    };

/** What a change of refs needs besides the client. */
export interface RefRepository {
  /** Node id of the repository, for GraphQL. */
  readonly nodeId: string;
  /** Finds out what became of a change that the end of the run's time cut off. */
  readonly rescue?: Rescue;
}

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
export async function readRefs(
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
