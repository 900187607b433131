/** The state of a watch: a mark in one comment of Photon's on the pull request. */
import { accountSchema, type GitHub } from '../api/github.ts';
import { readPullRequest } from '../api/pull-files.ts';
import { postComment, readOwnComment } from './comment.ts';
import type { CommentKind } from './past-comment.ts';

/** Most runs of one watch. What GitHub merges by itself does not count. */
export const maxAttempts = 5;

/** State of a watch, as the mark in Photon's comment holds it. */
export interface Watch {
  readonly isOn: boolean;
  /** What began it. It is the authority of each step, and read again for it: a command, the label, or the setting. */
  readonly kind: CommentKind | 'label' | 'own';
  /** The comment with the command; 0 without one. */
  readonly comment: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly attempts: number;
  /** What its runs cost, in the currency of the prices. */
  readonly spent: number;
  /** Head of the pull request at the last step. */
  readonly head: string;
  /** The head that the last step was about to give the branch; undefined if it gave none. */
  readonly next?: string | undefined;
  /** What is not tried again at this head: a base that was not merged, a conflict, a check. */
  readonly tried: readonly string[];
  /** The workflow run that works for the watch, and since when (milliseconds since the epoch; 0: its run has ended). */
  readonly lease?: { readonly run: string; readonly at: number } | undefined;
  /** What the last step came to. */
  readonly note: string;
}

/** Where the watch stands after a step, by the note of it. */
const stateTexts: Readonly<Record<string, string>> = {
  WATCHED: 'The branch holds its base, and no check of it fails.',
  WAITING: 'A check fails here, and the event of this commit repairs it.',
  REPAIR: 'A run was started for a failing check.',
  CONFLICT: 'A run was started for the conflicts with the base.',
  BASE_MERGED: 'GitHub merges the base into the branch.',
  BASE_REPLAYED: 'The commits of Photon were made again on the base.',
  BASE_QUEUED: 'The pull request is in the merge queue, which merges the base itself.',
  BASE_REFUSED: 'GitHub refused to merge the base into the branch.',
  BASE_CONFLICT: 'The conflict with the base is left to people.',
  CHECK_FAILS_ON_BASE: 'The checks that fail here fail on the base as well.',
  CHECK_UNDECIDED: 'Some checks ended without a verdict.',
  PULL_REQUEST_CLOSED: 'The pull request is closed.',
};

const stateMark =
  /<!-- photon:watch=(on|off) (issue|review|label|own):(\d{1,18}) since:(\d{1,15}) attempts:(\d{1,3})(?: spent:(\d{1,9}\.\d{4}))? head:([0-9a-f]{40})(?: next:([0-9a-f]{40}))?(?: tried:([a-z0-9,-]{1,2000}))?(?: lease:(\d{1,20})@(\d{1,15}))? note:([A-Z_]{0,40}) -->/;
const marker = '<!-- photon:watched=pull -->';

function parseWatch(body: string): Watch | undefined {
  const found = stateMark.exec(body);
  if (found === null) return undefined;
  const [, state, kind, comment, since, attempts, spent = '0', head = '', next, ...rest] = found;
  const [tried, run, leasedAt, note = ''] = rest;
  return {
    isOn: state === 'on',
    kind: kind as Watch['kind'],
    comment: Number(comment),
    since: Number(since),
    attempts: Number(attempts),
    spent: Number(spent),
    head,
    next,
    tried: tried?.split(',') ?? [],
    lease: run === undefined ? undefined : { run, at: Number(leasedAt) },
    note,
  };
}

function renderWatch(watch: Watch): string {
  const { isOn, kind, comment, since, attempts, spent, head, next, tried, lease, note } = watch;
  const title = isOn
    ? '**Photon keeps this pull request green**'
    : '**Photon no longer keeps this pull request green**';
  const last = `${stateTexts[note] ?? ''} Steps: ${attempts} of at most ${maxAttempts}. The last look was at ${head.slice(0, 12)}.`;
  const how = isOn
    ? 'A push of yours ends it, and so does `/photon keep-green off`.'
    : 'To begin again: `/photon keep-green`.';
  const state = [
    `${isOn ? 'on' : 'off'} ${kind}:${comment} since:${since} attempts:${attempts} spent:${spent.toFixed(4)} head:${head}`,
    next === undefined ? undefined : `next:${next}`,
    tried.length === 0 ? undefined : `tried:${tried.join(',')}`,
    lease === undefined ? undefined : `lease:${lease.run}@${lease.at}`,
    `note:${note}`,
  ].filter(part => part !== undefined);
  return `${title}\n\n${last.trim()} ${how}\n<!-- photon:watch=${state.join(' ')} -->`;
}

/** The newest state in a comment of Photon's own; undefined if the pull request was never watched. @throws PhotonError `GITHUB_*`. */
export async function readWatch(github: GitHub, number: number): Promise<Watch | undefined> {
  const conversation = { kind: 'pull-request', number } as const;
  const body = await readOwnComment(github, { conversation, marker });
  return parseWatch(body ?? '');
}

/** Writes the state into Photon's comment. @throws PhotonError `GITHUB_*`. */
export async function writeWatch(github: GitHub, number: number, watch: Watch): Promise<void> {
  const conversation = { kind: 'pull-request', number } as const;
  const body = renderWatch(watch);
  await postComment(github, { conversation, body, marker });
}

/** Ends the lease of a run of a watch, and adds what the run cost. @throws PhotonError `GITHUB_*`. */
export async function endLease(github: GitHub, number: number, cost: number): Promise<void> {
  const watch = await readWatch(github, number);
  if (watch === undefined) return;
  const lease = watch.lease && { ...watch.lease, at: 0 };
  await writeWatch(github, number, { ...watch, lease, spent: watch.spent + cost });
}

/** A pull request as the steps of a watch see it. */
export type WatchedPull = Awaited<ReturnType<typeof readWatchedPull>>;

/** Reads a pull request that is watched. @throws PhotonError `GITHUB_*`. */
export async function readWatchedPull(github: GitHub, number: number) {
  const { head, base, title, body, user, ...data } = await readPullRequest(github, number);
  return {
    number,
    isOpen: data.state === 'open',
    isFork: head.repo?.id !== base.repo.id,
    head: head.sha,
    base: base.ref,
    ref: head.ref,
    labels: data.labels.map(label => label.name),
    thread: { number, title, body: body ?? '', author: accountSchema.parse(user) },
  };
}
