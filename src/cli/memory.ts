/** `photon memory`: reads and manages the records of a checkout or of a repository on GitHub. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codes, PhotonError } from '../codes.ts';
import { openRefStore } from '../hosts/github/api/ref-store.ts';
import { repositoryWorkspace } from '../hosts/github/memory-store.ts';
import { localWorkspace } from '../hosts/local/local-host.ts';
import { canonicalJson } from '../memory/canonical.ts';
import { warningOf } from '../memory/change.ts';
import { readQueues } from '../memory/queue.ts';
import { type MemoryRecord, readRecords } from '../memory/record.ts';
import { type Retry, rewriteStore } from '../memory/rewrite-store.ts';
import { scoreOf } from '../memory/score.ts';
import { documentOf, rankFound } from '../memory/search.ts';
import { workOnQueue, workOnRecords } from '../memory/work-on-records.ts';
import { renderRecordDetail, renderRecordList, type ShownRecord } from '../report/memory-text.ts';
import { writeNewFile } from '../workspace/files/run-folder.ts';
import { openFullText } from '../workspace/stores/full-text.ts';
import { findLocalStore } from '../workspace/stores/local-store.ts';
import type { VersionedStore } from '../workspace/stores/versioned-store.ts';
import { type Arguments, noSuchVerb, parseArguments, repoOf } from './arguments.ts';
import { checkoutOf } from './checkout.ts';
import type { CommandHandler, Terminal } from './terminal.ts';
import { openRepository } from './terminal-github.ts';

/** The opened store, and the request of the user. */
interface MemoryRequest {
  readonly store: VersionedStore;
  readonly home: string;
  readonly nowMs: number;
  /** The user, as records name them. */
  readonly who: string;
  /** Arguments after the verb. */
  readonly names: readonly string[];
  readonly out: string;
}

/** Each returns the text that the user sees. */
const verbs: Readonly<Record<string, (request: MemoryRequest) => Promise<string>>> = {
  list,
  show,
  search,
  forget,
  export: exportRecords,
  accept: request => settle(request, 'accept'),
  drop: request => settle(request, 'drop'),
};

/** Verbs without arguments; the others take one or more. */
const takesNone: ReadonlySet<string> = new Set(['list', 'export']);

const usage =
  'Use photon memory list, export, show ID, forget ID, search TEXT, accept RUN or drop RUN.';

export const memory: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo', 'on', 'out']);
  const [verb = '', ...names] = positionals;
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (work === undefined || takesNone.has(verb) !== (names.length === 0))
    throw noSuchVerb(verb, Object.keys(verbs), usage);
  if (values.on === undefined) await checkoutOf(values, terminal);
  if (verb === 'list' && values.on === undefined && hasNoStore(values)) {
    terminal.print(`There are no records here yet. ${codes.MEMORY_MISSING.hint}\n`);
    return 0;
  }
  const place = await openPlace(values, terminal);
  const who = terminal.env.USER ?? '';
  const about = { nowMs: terminal.now(), who: who === '' ? 'the terminal' : who };
  const text = await work({ ...place, ...about, names, out: String(values.out ?? '') });
  if (verb === 'export') terminal.printData(text);
  else terminal.print(text);
  return 0;
};

const hasNoStore = (values: Arguments['values']) =>
  findLocalStore(repoOf(values), { make: false }) === null;

async function openPlace(
  values: Arguments['values'],
  terminal: Terminal,
): Promise<{ readonly store: VersionedStore; readonly home: string }> {
  if (values.on === undefined) {
    const store = findLocalStore(repoOf(values), { make: false });
    if (store === null) throw new PhotonError('MEMORY_MISSING');
    return { store, home: localWorkspace };
  }
  const { repository, github } = await openRepository(values.on, terminal);
  const store = openRefStore(async () => github, { repository, store: 'auto' });
  return { store, home: repositoryWorkspace(repository) };
}

async function recordsOf({ store, home }: MemoryRequest) {
  const { files } = await store.read();
  return { files, records: readRecords(files, home).records };
}

async function list(request: MemoryRequest): Promise<string> {
  const { files, records } = await recordsOf(request);
  const shown = [...records.values()].map(r => shownOf(r, request.nowMs));
  shown.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const queues = readQueues(files).map(q => ({ ...q, changes: q.changes.length }));
  return renderRecordList(shown, queues);
}

function shownOf(record: MemoryRecord, nowMs: number): ShownRecord {
  const score = scoreOf(record, nowMs);
  return { ...record, score, warning: warningOf(record), files: record.tried?.files ?? [] };
}

async function show(request: MemoryRequest): Promise<string> {
  const { records } = await recordsOf(request);
  return request.names
    .map(id => renderRecordDetail(shownOf(found(records, id), request.nowMs)))
    .join('\n');
}

function found(records: ReadonlyMap<string, MemoryRecord>, id: string): MemoryRecord {
  const record = records.get(id);
  if (record === undefined) throw new PhotonError('RECORD_UNKNOWN', `There is no record ${id}.`);
  return record;
}

async function search(request: MemoryRequest): Promise<string> {
  const { records } = await recordsOf(request);
  const index = openFullText();
  try {
    for (const record of records.values()) index.put(documentOf(record));
    const hits = rankFound(index.search(request.names.join(' ')), records, request.nowMs);
    return renderRecordList(
      hits.map(h => shownOf(h.record, request.nowMs)),
      [],
    );
  } finally {
    index.close();
  }
}

const retry: Retry = { random: () => randomInt(1_000_000) / 1_000_000, wait: ms => sleep(ms) };

async function forget(request: MemoryRequest): Promise<string> {
  const { store, home, nowMs, names, who } = request;
  const { records } = await recordsOf(request);
  const by = { run: 'terminal', commit: '', who, at: new Date(nowMs).toISOString() };
  const changes = names.map(name => {
    const { id } = found(records, name);
    return { op: 'forget', workspace: home, id, by } as const;
  });
  const plan = { changes, home, nowMs, message: `Forget ${names.join(', ')}` };
  await rewriteStore(store, files => workOnRecords(files, plan), retry);
  return names.map(id => `${id}: forgotten\n`).join('');
}

/** All records as canonical JSON: the same records give the same bytes. */
async function exportRecords(request: MemoryRequest): Promise<string> {
  const { records } = await recordsOf(request);
  const sorted = [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const text = canonicalJson({ schema: 1, workspace: request.home, records: sorted });
  if (request.out === '') return text;
  writeNewFile(request.out, text);
  return `${request.out}: ${sorted.length} records\n`;
}

/** Accepts or drops the pending changes of a local run, which has no pull request to review them in. */
async function settle(request: MemoryRequest, verdict: 'accept' | 'drop'): Promise<string> {
  const { store, home, nowMs, names, who } = request;
  const lines: string[] = [];
  for (const run of names) {
    const settlement = {
      run,
      verdict,
      who,
      home,
      nowMs,
      mismatch: (queue: { readonly pull: number }) =>
        queue.pull > 0 && verdict === 'accept'
          ? `its changes are reviewed in pull request #${queue.pull}. Comment /photon accept there.`
          : null,
    };
    const { value } = await rewriteStore(store, files => workOnQueue(files, settlement), retry);
    if (value.kind === 'none')
      throw new PhotonError('RECORDS_NONE', `No memory changes of run ${run} are pending.`);
    if (value.kind === 'mismatch') throw new PhotonError('RECORDS_CHANGED', `${run}: ${value.why}`);
    const refused = value.applied.flatMap(a => (a.ok ? [] : [`${a.code}: ${a.message}\n`]));
    lines.push(
      `${run}: ${value.applied.length - refused.length} record changes kept\n`,
      ...refused,
    );
  }
  return lines.join('');
}
