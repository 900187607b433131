/** `photon memory`: looks at the records of a checkout or of a repository on GitHub, forgets, exports. */
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PhotonError } from '../codes.ts';
import { openRefStore } from '../github/api/ref-store.ts';
import { repositoryWorkspace } from '../github/context/memory-store.ts';
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
import { type Arguments, parseArguments } from './arguments.ts';
import type { CommandHandler, Terminal } from './terminal.ts';
import { openRepository } from './terminal-github.ts';

/** The opened store, and what was asked of it. */
interface Asked {
  readonly store: VersionedStore;
  readonly home: string;
  readonly nowMs: number;
  /** Who asks, as a record names it. */
  readonly who: string;
  readonly words: readonly string[];
  readonly out: string;
}

/** Each gives the text that the user sees. */
const verbs: Readonly<Record<string, (asked: Asked) => Promise<string>>> = {
  list,
  show,
  search,
  forget,
  export: exportRecords,
  accept: asked => settle(asked, 'accept'),
  drop: asked => settle(asked, 'drop'),
};

/** How many words a verb takes. */
const takesNone: ReadonlySet<string> = new Set(['list', 'export']);

const usage =
  'photon memory list|export, or show|forget ID, search WORDS, accept|drop RUN; with --repo DIR or --on OWNER/NAME.';

export const memory: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo', 'on', 'out']);
  const [verb = '', ...words] = positionals;
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (work === undefined || takesNone.has(verb) !== (words.length === 0))
    throw new PhotonError('USAGE', usage);
  const place = await openPlace(values, terminal);
  const who = terminal.env.USER ?? '';
  const about = { nowMs: terminal.now(), who: who === '' ? 'the terminal' : who };
  const text = await work({ ...place, ...about, words, out: String(values.out ?? '') });
  if (verb === 'export') terminal.printData(text);
  else terminal.print(text);
  return 0;
};

async function openPlace(
  values: Arguments['values'],
  terminal: Terminal,
): Promise<{ readonly store: VersionedStore; readonly home: string }> {
  if (values.on === undefined) {
    const store = findLocalStore(resolve(String(values.repo ?? '.')), { make: false });
    if (store === null) throw new PhotonError('MEMORY_MISSING');
    return { store, home: repositoryWorkspace('') };
  }
  const { repository, github } = openRepository(values.on, terminal);
  const store = openRefStore(() => github, { repository, store: 'auto' });
  return { store, home: repositoryWorkspace(repository) };
}

async function recordsOf({ store, home }: Asked) {
  const { files } = await store.read();
  return { files, records: readRecords(files, home).records };
}

async function list(asked: Asked): Promise<string> {
  const { files, records } = await recordsOf(asked);
  const shown = [...records.values()].map(r => shownOf(r, asked.nowMs));
  shown.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const queues = readQueues(files).map(q => ({ ...q, changes: q.changes.length }));
  return renderRecordList(shown, queues);
}

function shownOf(record: MemoryRecord, nowMs: number): ShownRecord {
  const score = scoreOf(record, nowMs);
  return { ...record, score, warning: warningOf(record), files: record.tried?.files ?? [] };
}

async function show(asked: Asked): Promise<string> {
  const { records } = await recordsOf(asked);
  return asked.words
    .map(id => renderRecordDetail(shownOf(found(records, id), asked.nowMs)))
    .join('\n');
}

function found(records: ReadonlyMap<string, MemoryRecord>, id: string): MemoryRecord {
  const record = records.get(id);
  if (record === undefined) throw new PhotonError('RECORD_UNKNOWN', `There is no record ${id}.`);
  return record;
}

async function search(asked: Asked): Promise<string> {
  const { records } = await recordsOf(asked);
  const index = openFullText();
  try {
    for (const record of records.values()) index.put(documentOf(record));
    const hits = rankFound(index.search(asked.words.join(' ')), records, asked.nowMs);
    return renderRecordList(
      hits.map(h => shownOf(h.record, asked.nowMs)),
      [],
    );
  } finally {
    index.close();
  }
}

const retry: Retry = { random: () => randomInt(1_000_000) / 1_000_000, wait: ms => sleep(ms) };

async function forget(asked: Asked): Promise<string> {
  const { store, home, nowMs, words, who } = asked;
  const { records } = await recordsOf(asked);
  const by = { run: 'terminal', commit: '', who, at: new Date(nowMs).toISOString() };
  const changes = words.map(word => {
    const { id } = found(records, word);
    return { op: 'forget', workspace: home, id, by } as const;
  });
  const plan = { changes, home, nowMs, message: `Forget ${words.join(', ')}` };
  await rewriteStore(store, files => workOnRecords(files, plan), retry);
  return words.map(id => `${id}: forgotten\n`).join('');
}

/** Every record in one canonical text: the same records have the same bytes. */
async function exportRecords(asked: Asked): Promise<string> {
  const { records } = await recordsOf(asked);
  const sorted = [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const text = canonicalJson({ schema: 1, workspace: asked.home, records: sorted });
  if (asked.out === '') return text;
  writeNewFile(asked.out, text);
  return `${asked.out}: ${sorted.length} records\n`;
}

/** What waits of a local run has no pull request: the terminal is where it is reviewed. */
async function settle(asked: Asked, verdict: 'accept' | 'drop'): Promise<string> {
  const { store, home, nowMs, words, who } = asked;
  const lines: string[] = [];
  for (const run of words) {
    const settlement = {
      ...{ run, verdict, who, home, nowMs },
      mismatch: (queue: { readonly pull: number }) =>
        queue.pull > 0 && verdict === 'accept'
          ? `it is reviewed in pull request #${queue.pull}: /photon accept there`
          : null,
    };
    const { value } = await rewriteStore(store, files => workOnQueue(files, settlement), retry);
    if (value.kind === 'none')
      throw new PhotonError('RECORDS_NONE', `Nothing waits of run ${run}.`);
    if (value.kind === 'mismatch') throw new PhotonError('RECORDS_CHANGED', `${run}: ${value.why}`);
    const refused = value.applied.flatMap(a => (a.ok ? [] : [`${a.code}: ${a.message}\n`]));
    lines.push(
      `${run}: ${value.applied.length - refused.length} record changes kept\n`,
      ...refused,
    );
  }
  return lines.join('');
}
