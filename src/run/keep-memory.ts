/** The records of a run: read before its loop, and what it adds to them: a proposal when it succeeds, a count when it does not verify. */
import { type Ending, hasPatch, isSuccess, type Status } from '../base/outcome.ts';
import { sum } from '../base/plural.ts';
import { findSecret } from '../guard/secrets/secrets.ts';
import type { Delivery } from '../hosts/host.ts';
import { mark } from '../ledger/ledger.ts';
import { type Change, followedPatterns, makePattern } from '../memory/change.ts';
import { cleanNote } from '../memory/note-text.ts';
import { openMemory, type RunMemory } from '../memory/open-memory.ts';
import { digestOfChanges, type Queue } from '../memory/queue.ts';
import { recordLimits } from '../memory/record.ts';
import type { RunRecords } from '../memory/run-records.ts';
import { type Result, type Retry, rewriteStore, workWithQueue } from '../memory/work-on-records.ts';
import { openTimeLimit } from '../process/time-limit.ts';
import type { Settings } from '../settings/settings.ts';
import { countLines } from '../workspace/text/diff.ts';
import type { LoadedRun, Run } from './stages.ts';

/** Longest that a run which has ended goes on trying to write its records, in milliseconds. */
const keepingMs = 60_000;

interface MemoryProposal {
  /** Changes that a reviewer sees. */
  readonly changes: readonly Change[];
  /** sha256 over them; empty when there are none. */
  readonly digest: string;
}

const nothing: MemoryProposal = { changes: [], digest: '' };

/** The proposal of a run: the agent's changes, and the verified pattern of a patch. */
export function buildProposal(run: Run): MemoryProposal {
  if (run.loop.memory?.writable !== true) return nothing;
  const { runRecords } = run.loop.memory;
  const pattern = provenPattern(run, runRecords);
  const changes = pattern === undefined ? runRecords.changes : [...runRecords.changes, pattern];
  return changes.length === 0 ? nothing : { changes, digest: digestOfChanges(changes) };
}

function provenPattern(
  { request: { task, environment }, state, services: { session } }: Run,
  { home, by }: RunRecords,
): Change | undefined {
  const { verification, failedVerifications } = state;
  const holdsSecret = (text: string) => findSecret(text, environment.secrets);
  const changed = session.changes();
  if (verification?.passed !== true || verification.require === 'none') return undefined;
  if (changed.length === 0 || verification.patchDigest !== session.patchDigest()) return undefined;
  const title = { name: 'task', maxBytes: recordLimits.bodyBytes, holdsSecret };
  const words = cleanNote(task.prompt.slice(0, 1000), title);
  const command = verification.after?.command ?? '';
  if (!words.ok || holdsSecret(command)) return undefined;
  const lines = sum(changed.map(countLines).map(({ added, removed }) => added + removed));
  return makePattern({
    workspace: home,
    task: words.text,
    by,
    command,
    changedLines: lines,
    files: changed.map(c => c.path),
    skills: [...state.evidence.skillUse.keys()],
    repairs: failedVerifications,
  });
}

/** The engine's counts, which hold no text: lookups, and patterns that did not verify. */
function listCounts(
  { runRecords, offered }: RunMemory,
  { services: { session } }: Run,
  ending: Ending,
): readonly Change[] {
  const about = { workspace: runRecords.home, by: runRecords.by };
  if (ending.status === 'rolled_back') {
    const seen = [...runRecords.lookedUp].flatMap(id => runRecords.records.get(id) ?? []);
    const shown = [...new Map([...offered, ...seen].map(r => [r.id, r])).values()];
    const files = session.changes().map(c => c.path);
    return followedPatterns(shown, files).map(({ id }) => ({ op: 'fail', id, ...about }));
  }
  // a look-up counts as a use when it led to something
  if (!isSuccess(ending.status)) return [];
  return [...runRecords.lookedUp].sort().map(id => ({ op: 'use', id, ...about }));
}

/**
 * True when the run's own changes are kept: in `yolo` whatever the ending. Otherwise they wait for a review, and
 * without a patch no pull request can show them.
 */
export function keepsChanges(status: Status, mode: Settings['memoryMode']): boolean {
  return mode === 'yolo' || hasPatch(status);
}

/**
 * Keeps what a run leaves in the records; notes say what became of it. The patch is delivered by then, so nothing
 * here changes how the run ended.
 */
export async function keepRecords(run: Run, ending: Delivery): Promise<void> {
  const { request, policy } = run;
  const { mode, input, note } = request;
  const { memory } = run.loop;
  if (memory === undefined || !mode.keepsRecords) return;
  const kept =
    ending.status !== 'previewed' && keepsChanges(ending.status, policy.settings.memoryMode);
  const dropped = memory.runRecords.changes.length;
  if (!kept && dropped > 0) note(`${dropped} record changes were not kept: ${whyDropped(ending)}.`);
  if (!memory.writable || !(kept || ending.status === 'rolled_back')) return;
  const limit = openTimeLimit(input.signal, { ms: keepingMs, now: input.now });
  try {
    const retry = { random: limit.clock.random, wait: limit.pause };
    for (const each of await write(run, memory, { ending, kept, retry })) note(each);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    note(`MEMORY_UNAVAILABLE: the records could not be written: ${why.slice(0, 300)}`);
  } finally {
    limit.close();
  }
}

function whyDropped({ status }: Ending): string {
  if (status === 'previewed') return 'a dry or staged run leaves nothing behind';
  return 'without a patch there is no pull request to review them in (memory: yolo keeps them)';
}

interface Keeping {
  readonly ending: Delivery;
  /** True when the run's own changes are kept. */
  readonly kept: boolean;
  readonly retry: Retry;
}

/** @returns messages for the outcome. */
async function write(
  ran: Run,
  memory: RunMemory,
  { ending, kept, retry }: Keeping,
): Promise<readonly string[]> {
  const { place, runRecords } = memory;
  const { request } = ran;
  const { ledger } = request;
  // without a setting that names memory, only notes of the agent make a store
  const makes = runRecords.changes.length > 0 || ran.policy.settings.memoryNamed;
  if (!place.isThere() && !makes) return [];
  const nowMs = ran.request.input.now();
  const proposal = kept ? buildProposal(ran) : nothing;
  const reviewed = ran.policy.settings.memoryMode === 'reviewed';
  const marks = listCounts(memory, ran, ending);
  if (proposal.changes.length + marks.length === 0) return [];
  const settled = kept ? await place.settle() : [];
  const { run, at } = runRecords.by;
  const queue: Queue | undefined =
    reviewed && proposal.changes.length > 0
      ? {
          schema: 1,
          run,
          at,
          changes: [...proposal.changes],
          branch: ending.delivered?.branch ?? '',
          pull: ending.delivered?.pullRequestNumber ?? 0,
        }
      : undefined;
  const direct = reviewed ? marks : [...proposal.changes, ...marks];
  const plan = {
    changes: direct,
    home: place.home,
    nowMs,
    message: `Keep what run ${run} learned`,
    queue,
  };
  const { value, tries, written } = await rewriteStore(
    place.store,
    f => workWithQueue(f, plan),
    retry,
  );
  const applied = value.applied.filter(a => a.ok && a.changed).length;
  const counts = { applied, refused: value.applied.filter(a => !a.ok).length };
  const phase = ran.state.evidence.phase;
  const waiting = queue?.changes.length ?? 0;
  ledger.append({
    ...mark('memory.write', { ...counts, waiting, marks: marks.length, tries, written }),
    phase,
  });
  // a pull request shows pending changes; a local run has only this message
  const pending =
    waiting > 0 && queue?.pull === 0
      ? `${waiting} record changes wait: photon memory accept ${run} keeps them.`
      : '';
  return [
    ...settled,
    ...tellWritten(value, { waiting: pending, direct: direct.length - marks.length }),
  ];
}

function tellWritten(
  { applied: all, forgotten }: Result,
  { waiting, direct }: { readonly waiting: string; readonly direct: number },
): readonly string[] {
  // the engine's counts come last; a record that was deleted meanwhile needs none
  const applied = all.slice(0, direct);
  const refused = applied.flatMap(a =>
    a.ok ? [] : [`${a.code}: ${a.message}; the change was not kept.`],
  );
  const kept = direct - refused.length;
  return [
    waiting === '' ? undefined : waiting,
    direct > 0 && kept > 0 ? `${kept} record changes were kept.` : undefined,
    ...refused,
    forgotten.length > 0 ? `${forgotten.length} records gave way to newer ones.` : undefined,
  ].filter(item => item !== undefined);
}

/** Longest that a run waits for its records, in milliseconds: they only advise. */
const memoryTimeoutMs = 10_000;

/** The records, read while the services open. */
export async function readMemory({
  request: { task, environment, input, id, note, kind, limit, ledger },
  policy,
}: LoadedRun): Promise<RunMemory | undefined> {
  if (!kind.keeps) return undefined;
  const nowMs = input.now();
  const at = new Date(nowMs).toISOString();
  const by = { run: id, commit: environment.git.commit, who: task.askedBy || ledger.caller, at };
  const read = new AbortController(); // a timer that is left behind would hold the process
  const until = AbortSignal.any([limit.signal, read.signal]);
  const giveUp = limit.clock.sleep(memoryTimeoutMs, until);
  const { memory } = environment;
  const { settings } = policy;
  const expected = settings.recordTools === true;
  try {
    return await openMemory({ memory, settings, expected, task, by, nowMs, giveUp, note });
  } finally {
    read.abort();
  }
}
