/** Where the records of a repository are, and their changes that wait in a pull request: applied when it is merged or by `/photon accept`, dropped when it is closed. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Code, codes } from '../../../base/codes.ts';
import type { Task } from '../../../base/task.ts';
import type { MemorySource } from '../../../memory/open-memory.ts';
import { digestOfChanges, findQueueMarker, type Queue, readQueues } from '../../../memory/queue.ts';
import {
  type Retry,
  rewriteStore,
  type SettlementResult,
  workOnQueue,
} from '../../../memory/work-on-records.ts';
import type { VersionedStore } from '../../../workspace/stores/versioned-store.ts';
import type { RunInput, TaskPlan, TaskRefusal } from '../../host.ts';
import { answerTask, refuseTask } from '../../planned-task.ts';
import { allowMissing } from '../api/github-errors.ts';
import { type PullRequest, readPullRequest } from '../api/pull-files.ts';
import { openRefStore } from '../api/ref-store.ts';
import { authorise, trustedEvents } from '../auth/access.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import type { ThreadRequest } from '../parse/event.ts';

/** The store of the records and the repository whose pull requests decide. */
interface RecordsContext extends Pick<RepositoryContext, 'github' | 'now'> {
  readonly store: VersionedStore;
  /** Workspace of the records. */
  readonly home: string;
}

interface SettleRequest {
  readonly number: number;
  /** `accept`: a person with write access accepted the changes. `closed`: a merge decides. */
  readonly cause: 'accept' | 'closed';
  readonly who: string;
}

interface SettleResult {
  readonly code: Extract<Code, `RECORDS_${string}`>;
  readonly message: string;
  /** True when people need to know, because not all changes were applied. */
  readonly report: boolean;
}

const jitter: Retry = { random: () => randomInt(1_000_000) / 1_000_000, wait: ms => sleep(ms) };

/**
 * Settles the pending changes of one pull request.
 * @throws PhotonError `GITHUB_*`, `MEMORY_CONFLICT`.
 */
async function settleRecords(
  context: RecordsContext,
  request: SettleRequest,
): Promise<SettleResult> {
  const pull = await allowMissing(readPullRequest(context.github, request.number));
  const marker = pull === undefined ? undefined : findQueueMarker(pull.body ?? '');
  if (pull === undefined || marker === undefined) return result('RECORDS_NONE');
  const merged = pull.merged === true;
  if (request.cause === 'closed' && pull.state !== 'closed')
    return result(
      'RECORDS_NONE',
      'The pull request is open again, so its changes of records stay pending.',
    );
  const verdict = request.cause === 'accept' || merged ? 'accept' : 'drop';
  const { run, digest } = marker;
  const mismatch = (queue: Queue) => findMismatch(queue, pull, digest);
  const settled = await settle(context, { run, verdict, who: request.who, mismatch });
  return makeResult(settled, verdict);
}

function result(
  code: SettleResult['code'],
  message: string = codes[code].meaning,
  report = false,
): SettleResult {
  return { code, message, report };
}

function makeResult(settled: SettlementResult, verdict: 'accept' | 'drop'): SettleResult {
  if (settled.kind === 'none') return result('RECORDS_NONE');
  if (settled.kind === 'mismatch')
    return result('RECORDS_CHANGED', `${codes.RECORDS_CHANGED.meaning} ${settled.why}`, true);
  if (verdict === 'drop') return result('RECORDS_DROPPED');
  const refused = settled.applied.flatMap(a => (a.ok ? [] : [`${a.code}: ${a.message}.`]));
  const kept = settled.applied.length - refused.length;
  return result(
    'RECORDS_APPLIED',
    [`${kept} record changes were kept.`, ...refused].join(' '),
    refused.length > 0,
  );
}

async function settle(
  { store, home, now }: RecordsContext,
  about: Omit<Parameters<typeof workOnQueue>[1], 'home' | 'nowMs'>,
): Promise<SettlementResult> {
  const settlement = { ...about, home, nowMs: now() };
  return (await rewriteStore(store, files => workOnQueue(files, settlement), jitter)).value;
}

/** Anybody can write a mark. It counts only on the pull request whose changes it names; otherwise this is the reason. */
function findMismatch(queue: Queue, pull: PullRequest, digest: string): string | undefined {
  if (pull.head.repo?.id !== pull.base.repo.id)
    return 'The pull request is from another repository.';
  if (queue.branch !== pull.head.ref || queue.pull !== pull.number)
    return 'The changes belong to another pull request.';
  return digestOfChanges(queue.changes) === digest
    ? undefined
    : 'The digest of the changes differs.';
}

/** Maximum number of pull requests that one run checks; an hour later it checks others. */
const maxChecked = 5;
const hourMs = 3_600_000;

/**
 * Settles changes whose pull request was closed, oldest first. A merge then counts even if no workflow
 * listens to it.
 * @returns a sentence about each pull request that was settled.
 */
async function settleClosed(context: RecordsContext): Promise<readonly string[]> {
  const waiting = readQueues((await context.store.read()).files).filter(q => q.pull > 0);
  const first = Math.floor(context.now() / hourMs) % Math.max(1, waiting.length);
  const turn = [...waiting.slice(first), ...waiting.slice(0, first)].slice(0, maxChecked);
  const notes: string[] = [];
  for (const queue of turn) {
    const done = await settleOne(context, queue);
    if (done !== undefined) notes.push(`Pull request #${queue.pull}: ${done}`);
  }
  return notes;
}

/** Settles one pull request; undefined while it is open. */
async function settleOne(context: RecordsContext, queue: Queue): Promise<string | undefined> {
  const pull = await allowMissing(readPullRequest(context.github, queue.pull));
  if (pull !== undefined && pull.state !== 'closed') return undefined;
  const marker = findQueueMarker(pull?.body ?? '');
  const shown = pull !== undefined && marker?.run === queue.run;
  const why = shown
    ? findMismatch(queue, pull, marker.digest)
    : 'The pull request no longer shows the changes.';
  const verdict = pull?.merged === true && why === undefined ? 'accept' : 'drop';
  const who = pull?.merged_by?.login ?? 'nobody';
  // checked again at each try, because another run can replace the pending changes
  const mismatch = (q: Queue) =>
    verdict === 'accept' && pull !== undefined
      ? findMismatch(q, pull, marker?.digest ?? '')
      : undefined;
  const value = await settle(context, { run: queue.run, verdict, who, mismatch });
  return value.kind === 'none' ? undefined : makeResult(value, verdict).message;
}

/** What the place of the records depends on. */
interface MemoryPlaceContext extends Pick<RepositoryContext, 'github' | 'settings' | 'log'> {
  readonly input: RunInput;
}

/** Workspace of the records of a repository. */
export function repositoryWorkspace(repository: string): string {
  return repository.toLowerCase();
}

/** The place; undefined when memory is off. */
export function openMemoryPlace(
  context: MemoryPlaceContext,
): () => Promise<MemorySource | undefined> {
  const { input, settings, github } = context;
  if (settings.memoryMode === 'off' || input.replay !== undefined) return async () => undefined;
  const { repository, now } = input;
  const home = repositoryWorkspace(repository);
  const store = openRefStore(github);
  const records = { github, store, home, now };
  const place: MemorySource = {
    store,
    isThere: () => true,
    home,
    mayKeep: task => mayKeep(context, task),
    settle: () => settleClosed(records),
  };
  return async () => place;
}

/**
 * Commands are authorised before they become tasks. A task of the input can run on any event, so its
 * actor must have write access: a stranger's issue could have started the workflow.
 */
async function mayKeep(
  { input, settings, github, log }: MemoryPlaceContext,
  task: Task,
): Promise<boolean> {
  if (task.trigger !== 'task' || trustedEvents.has(input.event.name)) return true;
  const answer = await authorise(
    { github, settings },
    // the environment holds no id of the actor; the API looks actors up by login
    { login: input.actor, id: 0, type: 'User' },
  );
  if (!answer.allowed)
    log(`Records: Photon keeps nothing of this run, because its actor ${answer.reason}.`);
  return answer.allowed;
}

/**
 * Keeps the pending changes that this pull request shows, merged or not.
 * @throws PhotonError `GITHUB_*`.
 */
export async function acceptRecords(
  context: RepositoryContext,
  { conversation, author }: ThreadRequest,
): Promise<TaskRefusal> {
  if (conversation.kind !== 'pull-request') return refuseTask('abstained', 'ACCEPT_NOTHING');
  const request = { number: conversation.number, who: author.login, cause: 'accept' } as const;
  const { planned } = await settleTask(context, request);
  return planned.refused ?? refuseTask('abstained', 'ACCEPT_NOTHING');
}

/**
 * Settles the pending changes of a pull request, as a task that ends before its run. `report` is false
 * when there is nothing that people need to know.
 * @throws PhotonError `GITHUB_*`.
 */
export async function settleTask(
  context: RepositoryContext,
  request: SettleRequest,
): Promise<{ readonly planned: TaskPlan; readonly report: boolean }> {
  const { number, who: askedBy } = request;
  const place = await context.memory();
  const { code, message, report } =
    place === undefined
      ? { code: 'RECORDS_NONE' as const, message: 'Memory is off.', report: false }
      : await settleRecords({ ...context, store: place.store, home: place.home }, request);
  const conversation = { kind: 'pull-request', number } as const;
  const about = { id: `records-${number}`, askedBy, conversation };
  return { report, planned: answerTask(context, about, refuseTask('no_change', code, message)) };
}
