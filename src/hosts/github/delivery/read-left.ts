/** Reads back what a delivery that failed left in the repository. */
import { type LeftBehind, UnfinishedDelivery } from '../../../base/outcome.ts';
import type { GitHub } from '../api/github.ts';
import { githubError } from '../api/github-errors.ts';
import { listPulls } from '../api/pull-files.ts';
import { readRef } from '../api/refs.ts';
import { type Rescue, withTimeLeft } from '../api/request-limit.ts';

/** A branch that the delivery tried to set. */
interface TriedBranch {
  readonly branch: string;
  /** What the branch was before; undefined if there was none. */
  readonly before: string | undefined;
  /** The commit of this run. */
  readonly commit: string;
  /** `restored`: GitHub confirmed it. `set`: it was set and not restored. `unknown`: it may never have been set. */
  readonly end: 'restored' | 'set' | 'unknown';
  /** The pull request that was there before, if this run changed its text. */
  readonly updated?: number | undefined;
  /** False: nobody tried to open a pull request. */
  readonly opensPull: boolean;
  readonly rescue?: Rescue;
}

/** The error of a delivery, with what is there now. It never rejects: what cannot be read is unknown. */
export async function withLeft(
  github: GitHub,
  error: unknown,
  tried: TriedBranch,
): Promise<UnfinishedDelivery> {
  const known = githubError(error, github.signal);
  const names = [`the branch ${tried.branch}`, `the pull requests of ${tried.branch}`];
  try {
    const later = await withTimeLeft(github, tried.rescue);
    const [branch, pulls] = await Promise.allSettled([
      readBranch(later, tried),
      readPulls(later, tried),
    ]);
    return new UnfinishedDelivery(known, {
      branches: branch.status === 'fulfilled' ? (branch.value ?? []) : [],
      pulls: pulls.status === 'fulfilled' ? pulls.value : [],
      unread: names.filter((_name, i) =>
        i === 0
          ? branch.status === 'rejected' || branch.value === undefined
          : pulls.status === 'rejected',
      ),
    });
  } catch {
    return new UnfinishedDelivery(known, { branches: [], pulls: [], unread: names });
  }
}

/** The branch if it holds the commit; undefined if the read does not tell. */
async function readBranch(
  github: GitHub,
  { branch, before, commit, end }: TriedBranch,
): Promise<LeftBehind['branches'] | undefined> {
  if (end === 'restored') return [];
  const now = await readRef(github, `refs/heads/${branch}`);
  if (now === commit) return [{ name: branch, commit }];
  // it was set and not restored, so what it was before is a reply that lags behind
  return (now === before) === (end === 'unknown') ? [] : undefined;
}

/** The pull requests whose head is the commit of this run, and the one whose text it changed. */
async function readPulls(
  github: GitHub,
  { branch, commit, updated, opensPull }: TriedBranch,
): Promise<LeftBehind['pulls']> {
  if (!opensPull) return [];
  return (await listPulls(github, branch, 'all'))
    .filter(pull => pull.number === updated || (pull.head.sha === commit && updated === undefined))
    .map(({ number, state }) => {
      const change = number === updated ? ('updated' as const) : ('opened' as const);
      return { number, change, state: state === 'open' ? ('open' as const) : ('closed' as const) };
    });
}

/** The error of a review, which may be there in part: nobody reads it back. */
export function withReviewUnread(
  github: GitHub,
  error: unknown,
  number: number,
): UnfinishedDelivery {
  const unread = [`the reviews of #${number}`];
  return new UnfinishedDelivery(githubError(error, github.signal), {
    branches: [],
    pulls: [],
    unread,
  });
}
