/** Record changes that wait in a pull request: applied when it was merged or accepted, dropped when it was closed. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Code, codes } from '../../codes.ts';
import { digestOfChanges, findQueueMarker, type Queue, readQueues } from '../../memory/queue.ts';
import { type Retry, rewriteStore } from '../../memory/rewrite-store.ts';
import { type Settled, workOnQueue } from '../../memory/work-on-records.ts';
import type { VersionedStore } from '../../workspace/versioned-store.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { statusOf, withCodes } from '../api/github-errors.ts';

export interface Closing {
  readonly github: () => Promise<GitHub>;
  readonly repository: string;
  readonly store: VersionedStore;
  readonly home: string;
  readonly now: () => number;
}

export interface SettleRequest {
  readonly number: number;
  /** `accept`: somebody who may said so. `closed`: the pull request decides by how it was closed. */
  readonly cause: 'accept' | 'closed';
  readonly who: string;
}

export interface SettleAnswer {
  readonly code: Extract<Code, `RECORDS_${string}`>;
  readonly message: string;
  /** True when somebody should be told: not everything came to be. */
  readonly tell: boolean;
}

const jitter: Retry = { random: () => randomInt(1_000_000) / 1_000_000, wait: ms => sleep(ms) };

type Pull = Awaited<ReturnType<GitHub['rest']['pulls']['get']>>['data'];

/**
 * Settles what waits of one pull request.
 * @throws PhotonError `GITHUB_*`, `MEMORY_CONFLICT`.
 */
export async function settleRecords(
  closing: Closing,
  request: SettleRequest,
): Promise<SettleAnswer> {
  const pull = await readPull(closing, request.number);
  const marker = pull === null ? null : findQueueMarker(pull.body ?? '');
  if (pull === null || marker === null) return answer('RECORDS_NONE');
  const merged = pull.merged === true;
  if (request.cause === 'closed' && pull.state !== 'closed')
    return answer(
      'RECORDS_NONE',
      'The pull request is open again; its record changes go on waiting.',
    );
  const verdict = request.cause === 'accept' || merged ? 'accept' : 'drop';
  const settled = await settle(closing, { pull, marker, verdict, who: request.who });
  return told(settled, verdict);
}

function answer(
  code: SettleAnswer['code'],
  message: string = codes[code].meaning,
  tell = false,
): SettleAnswer {
  return { code, message, tell };
}

function told(settled: Settled, verdict: 'accept' | 'drop'): SettleAnswer {
  if (settled.kind === 'none') return answer('RECORDS_NONE');
  if (settled.kind === 'mismatch')
    return answer('RECORDS_CHANGED', `${codes.RECORDS_CHANGED.meaning} ${settled.why}`, true);
  if (verdict === 'drop') return answer('RECORDS_DROPPED');
  const refused = settled.applied.flatMap(a => (a.ok ? [] : [`${a.code}: ${a.message}.`]));
  const kept = settled.applied.length - refused.length;
  return answer(
    'RECORDS_APPLIED',
    [`${kept} record changes were kept.`, ...refused].join(' '),
    refused.length > 0,
  );
}

async function readPull({ github, repository }: Closing, number: number): Promise<Pull | null> {
  const api = await github();
  return withCodes(api, async () => {
    try {
      return (await api.rest.pulls.get({ ...splitRepository(repository), pull_number: number }))
        .data;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  });
}

interface Verdict {
  readonly pull: Pull;
  readonly marker: { readonly run: string; readonly digest: string };
  readonly verdict: 'accept' | 'drop';
  readonly who: string;
}

async function settle(closing: Closing, { pull, marker, verdict, who }: Verdict): Promise<Settled> {
  const { store, home, now } = closing;
  const settlement = {
    run: marker.run,
    verdict,
    who,
    home,
    nowMs: now(),
    mismatch: (queue: Queue) => mismatchOf(queue, pull, marker.digest),
  };
  return (await rewriteStore(store, files => workOnQueue(files, settlement), jitter)).value;
}

/** A mark can be written by anybody: it counts on the one pull request whose changes it names. */
function mismatchOf(queue: Queue, pull: Pull, digest: string): string | null {
  if (pull.head.repo?.id !== pull.base.repo.id)
    return 'The pull request is from another repository.';
  if (queue.branch !== pull.head.ref || queue.pull !== pull.number)
    return 'The changes are of another pull request.';
  return digestOfChanges(queue.changes) === digest ? null : 'Its digest is another one.';
}

/** How many pull requests one run looks after; the next hour it looks at others. */
const maxLookedAt = 5;
const hourMs = 3_600_000;

/**
 * Looks after changes whose pull request is closed by now, oldest first: so that a merge counts also
 * where no workflow listens to it. What came of it, in words.
 */
export async function settleClosed(closing: Closing): Promise<readonly string[]> {
  const waiting = readQueues((await closing.store.read()).files).filter(q => q.pull > 0);
  const first = Math.floor(closing.now() / hourMs) % Math.max(1, waiting.length);
  const turn = [...waiting.slice(first), ...waiting.slice(0, first)].slice(0, maxLookedAt);
  const said: string[] = [];
  for (const queue of turn) {
    const done = await settleOne(closing, queue);
    if (done !== null) said.push(`Pull request #${queue.pull}: ${done}`);
  }
  return said;
}

/** What became of one that waits; null while its pull request is open. */
async function settleOne(closing: Closing, queue: Queue): Promise<string | null> {
  const pull = await readPull(closing, queue.pull);
  if (pull !== null && pull.state !== 'closed') return null;
  const marker = findQueueMarker(pull?.body ?? '');
  const shown = pull !== null && marker?.run === queue.run;
  const why = shown
    ? mismatchOf(queue, pull, marker.digest)
    : 'The pull request no longer shows them.';
  const verdict = pull?.merged === true && why === null ? 'accept' : 'drop';
  const who = pull?.merged_by?.login ?? 'nobody';
  const { home, now, store } = closing;
  // looked at again at each try, since what waits could be exchanged meanwhile
  const mismatch = (q: Queue) =>
    verdict === 'accept' && pull !== null ? mismatchOf(q, pull, marker?.digest ?? '') : null;
  const settlement = { run: queue.run, verdict, who, home, nowMs: now(), mismatch } as const;
  const { value } = await rewriteStore(store, files => workOnQueue(files, settlement), jitter);
  return value.kind === 'none' ? null : told(value, verdict).message;
}
