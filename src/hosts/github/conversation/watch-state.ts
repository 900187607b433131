/** The state of a watch: a mark in one comment of Photon's on the pull request. */
import { accountSchema, type GitHub } from '../api/github.ts';
import { readPullRequest } from '../api/pull-files.ts';
import { postComment, readOwnComment } from './comment.ts';
import type { CommentKind } from './past-comment.ts';

/** Most steps of one watch that repair or merge. */
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
  /** What the last step came to. */
  readonly note: string;
}

const stateMark =
  /<!-- photon:watch=(on|off) (issue|review|label|own):(\d{1,18}) since:(\d{1,15}) attempts:(\d{1,3})(?: spent:(\d{1,9}\.\d{4}))? head:([0-9a-f]{40})(?: next:([0-9a-f]{40}))? note:([A-Z_]{0,40}) -->/;
const marker = '<!-- photon:watched=pull -->';

function parseWatch(body: string): Watch | undefined {
  const found = stateMark.exec(body);
  if (found === null) return undefined;
  const [, state, kind, comment, since, attempts, spent = '0', head = '', next, note = ''] = found;
  return {
    isOn: state === 'on',
    kind: kind as Watch['kind'],
    comment: Number(comment),
    since: Number(since),
    attempts: Number(attempts),
    spent: Number(spent),
    head,
    next,
    note,
  };
}

function renderWatch({ isOn, kind, comment, since, attempts, spent, ...place }: Watch): string {
  const title = isOn
    ? '**Photon keeps this pull request green**'
    : '**Photon no longer keeps this pull request green**';
  const { head, next, note } = place;
  const last = `Steps: ${attempts} of at most ${maxAttempts}. The last one ended with \`${note}\` at ${head.slice(0, 12)}.`;
  const how = isOn
    ? 'A push of yours ends it, and so does `/photon keep-green off`.'
    : 'To begin again: `/photon keep-green`.';
  const state = `${isOn ? 'on' : 'off'} ${kind}:${comment} since:${since} attempts:${attempts} spent:${spent.toFixed(4)}`;
  return `${title}\n\n${last} ${how}\n<!-- photon:watch=${state} head:${head}${next === undefined ? '' : ` next:${next}`} note:${note} -->`;
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

/** Adds what a run of a watch cost to its state. @throws PhotonError `GITHUB_*`. */
export async function addCost(github: GitHub, number: number, cost: number): Promise<void> {
  const watch = await readWatch(github, number);
  if (watch !== undefined && cost > 0)
    await writeWatch(github, number, { ...watch, spent: watch.spent + cost });
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
