/** `photon memory`: reads and manages the records of a checkout or of a repository on GitHub. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codes, PhotonError } from '../../base/codes.ts';
import { canonicalJson } from '../../base/digest.ts';
import { joinDefined, plural } from '../../base/plural.ts';
import { openRefStore } from '../../hosts/github/api/ref-store.ts';
import { repositoryWorkspace } from '../../hosts/github/maintenance/settle-records.ts';
import { localWorkspace } from '../../hosts/local/local-host.ts';
import { describeWarning } from '../../memory/change.ts';
import { type Queue, readQueues } from '../../memory/queue.ts';
import { type MemoryRecord, type Provenance, readRecords } from '../../memory/record.ts';
import { scoreRecord } from '../../memory/score.ts';
import {
  type Retry,
  rewriteStore,
  workOnQueue,
  workOnRecords,
} from '../../memory/work-on-records.ts';
import {
  hasLocalStore,
  openLocalStore,
  type VersionedStore,
} from '../../workspace/stores/versioned-store.ts';
import { resolveCheckout } from '../checkout.ts';
import { type Arguments, command, resolveRepo, shared } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { openRepository } from '../terminal-github.ts';

interface MemoryRequest {
  readonly store: VersionedStore;
  readonly home: string;
  readonly nowMs: number;
  /** The user, as records name them. */
  readonly who: string;
  readonly names: readonly string[];
}

const options = {
  repo: shared.repo,
  on: shared.on,
};

type Values = Arguments<typeof options>['values'];

export const memory = command({
  options,
  usage: [
    ['list', 'List records, and changes that wait for a review', listOrHint],
    ['show <id>...', 'Show a record and where it comes from', printing(show)],
    ['forget <id>...', 'Delete a record', printing(forget)],
    ['export', 'Print all records as JSON', printing(exportRecords, 'printData')],
    [
      'accept <run>...',
      'Apply the pending changes of a local run',
      printing(request => settle(request, 'accept')),
    ],
    [
      'drop <run>...',
      'Discard the pending changes of a local run',
      printing(request => settle(request, 'drop')),
    ],
  ],
  examples: ['photon memory list', 'photon memory list --on octo-org/shop'],
});

/** Opens the records, and prints the text that a verb makes of them. */
function printing(
  work: (request: MemoryRequest) => Promise<string>,
  print: 'print' | 'printData' = 'print',
) {
  return async ({ values, names }: Arguments<typeof options>, terminal: Terminal) => {
    if (values.on === undefined) await resolveCheckout(values, terminal);
    const opened = await openRecords(values, terminal);
    const who = terminal.env.USER || 'the terminal';
    terminal[print](await work({ ...opened, who, names, nowMs: terminal.now() }));
    return 0;
  };
}

async function listOrHint(given: Arguments<typeof options>, terminal: Terminal): Promise<number> {
  const { values } = given;
  if (values.on === undefined) await resolveCheckout(values, terminal);
  if (values.on !== undefined || hasLocalStore(resolveRepo(values)))
    return printing(list)(given, terminal);
  terminal.print(`There are no records here yet. ${codes.MEMORY_MISSING.hint}\n`);
  return 0;
}

async function openRecords(values: Values, terminal: Terminal) {
  if (values.on === undefined) {
    if (!hasLocalStore(resolveRepo(values))) throw new PhotonError('MEMORY_MISSING');
    return { store: openLocalStore(resolveRepo(values)), home: localWorkspace };
  }
  const { repository, github } = await openRepository(values.on, terminal);
  const store = openRefStore(github);
  return { store, home: repositoryWorkspace(repository) };
}

async function loadRecords({ store, home }: MemoryRequest) {
  const { files } = await store.read();
  return { files, records: readRecords(files, home).records };
}

async function list(request: MemoryRequest): Promise<string> {
  const { nowMs } = request;
  const { files, records: all } = await loadRecords(request);
  const scored = [...all.values()].map(r => ({ record: r, score: scoreRecord(r, nowMs) }));
  scored.sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1));
  const records = scored.map(({ record }) => record);
  return renderRecordList(records, readQueues(files), nowMs);
}

async function show(request: MemoryRequest): Promise<string> {
  const { records } = await loadRecords(request);
  return request.names
    .map(id => renderRecordDetail(findRecord(records, id), request.nowMs))
    .join('\n');
}

function findRecord(records: ReadonlyMap<string, MemoryRecord>, id: string): MemoryRecord {
  const record = records.get(id);
  if (record === undefined) throw new PhotonError('RECORD_UNKNOWN', `There is no record ${id}.`);
  return record;
}

const retry: Retry = { random: () => randomInt(1_000_000) / 1_000_000, wait: ms => sleep(ms) };

async function forget(request: MemoryRequest): Promise<string> {
  const { store, home, nowMs, names, who } = request;
  const { records } = await loadRecords(request);
  const by = { run: 'terminal', commit: '', who, at: new Date(nowMs).toISOString() };
  const changes = names.map(name => {
    const { id } = findRecord(records, name);
    return { op: 'forget', workspace: home, id, by } as const;
  });
  const plan = { changes, home, nowMs, message: `Forget ${names.join(', ')}` };
  await rewriteStore(store, files => workOnRecords(files, plan), retry);
  return names.map(id => `${id}: forgotten\n`).join('');
}

/** All records as canonical JSON: the same records give the same bytes. */
async function exportRecords(request: MemoryRequest): Promise<string> {
  const { records } = await loadRecords(request);
  const sorted = [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return canonicalJson({ schema: 1, workspace: request.home, records: sorted });
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
          : undefined,
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

/** One line per record, best first, then the changes that wait for a review. */
function renderRecordList(
  records: readonly MemoryRecord[],
  queues: readonly Queue[],
  nowMs: number,
): string {
  const lines = records.map(record => {
    const { id, version, kind, title } = record;
    const warning = describeWarning(record) === '' ? '' : 'WARNING ';
    return `${id}  v${version}  ${kind.padEnd(10)}  ${score(record, nowMs)}  ${warning}${plain(title)}`;
  });
  const waiting = queues.map(({ changes: { length }, run, pull, at }) => {
    const where = pull === 0 ? '' : `, pull request #${pull}`;
    const wait = length === 1 ? 'waits' : 'wait';
    return `${plural(length, 'change')} of run ${run}${where}, ${wait} for a review since ${at.slice(0, 10)}`;
  });
  const none = lines.length === 0 ? ['There are no records.'] : [];
  return `${[...none, ...lines, ...waiting].join('\n')}\n`;
}

function renderRecordDetail(r: MemoryRecord, nowMs: number): string {
  const origin = (o: Provenance) =>
    `${o.at} by ${plain(o.who)}, run ${plain(o.run)} on ${o.commit.slice(0, 12)}${o.accepted === undefined ? '' : `, accepted by ${plain(o.accepted)}`}`;
  const warning = describeWarning(r);
  const files = r.tried?.files ?? [];
  return joinDefined([
    `${r.id}, ${r.kind}, version ${r.version}, score ${score(r, nowMs)}`,
    warning !== '' && `WARNING: ${plain(warning)}`,
    `title:   ${plain(r.title)}`,
    r.tags.length > 0 && `tags:    ${r.tags.map(plain).join(', ')}`,
    files.length > 0 && `files:   ${files.map(plain).join(', ')}`,
    `uses:    ${r.uses}, confirmed ${r.confirmed}, failed ${r.failed}`,
    `created: ${origin(r.created)}`,
    `updated: ${origin(r.updated)}`,
    '',
    ...r.body.split('\n').map(plain),
    '',
  ]);
}

const score = (record: MemoryRecord, nowMs: number) =>
  scoreRecord(record, nowMs).toFixed(2).padStart(5);

/** The text of a record without characters that control the terminal. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\uFFFD');
}
