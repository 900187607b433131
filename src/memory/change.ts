/** A change of the records, judged and applied against what is there now. Pure. */
import * as z from 'zod';
import type { Code } from '../codes.ts';
import {
  agentKinds,
  bodySchema,
  idSchema,
  isNegated,
  type MemoryRecord,
  newRecord,
  noteId,
  type Provenance,
  patternId,
  provenanceSchema,
  recordLimits,
  tagsSchema,
  titleSchema,
  triedSchema,
} from './record.ts';

const by = provenanceSchema;
const workspace = z.string().min(1).max(300);
const parts = { workspace, title: titleSchema, body: bodySchema, tags: tagsSchema, by };

/** Everything that can happen to the records; the first four are shown for review. */
export const changeSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), kind: z.enum(agentKinds), ...parts }),
  z.strictObject({
    op: z.literal('update'),
    workspace,
    id: idSchema,
    /** Version that the writer saw. */
    seen: z.int().min(1),
    title: titleSchema.optional(),
    body: bodySchema,
    tags: tagsSchema.optional(),
    by,
  }),
  z.strictObject({
    op: z.literal('issue'),
    workspace,
    id: idSchema,
    text: z.string().min(1).max(recordLimits.issueBytes),
    metadata: z.string().max(recordLimits.issueBytes),
    by,
  }),
  /** A verification confirmed a pattern, old or new. */
  z.strictObject({ op: z.literal('confirm'), ...parts, tried: triedSchema }),
  /** A run that committed had looked the record up. */
  z.strictObject({ op: z.literal('use'), workspace, id: idSchema, by }),
  /** A run that followed the pattern did not verify. */
  z.strictObject({ op: z.literal('fail'), workspace, id: idSchema, by }),
  z.strictObject({ op: z.literal('forget'), workspace, id: idSchema, by }),
]);

export type Change = z.infer<typeof changeSchema>;

type RecordCode = Extract<Code, `RECORD_${string}`>;

export type Applied =
  /** `record` is null when it is gone; `changed` is false when there was nothing left to do. */
  | {
      readonly ok: true;
      readonly id: string;
      readonly record: MemoryRecord | null;
      readonly changed: boolean;
    }
  | {
      readonly ok: false;
      readonly id: string;
      readonly code: RecordCode;
      readonly message: string;
    };

/**
 * What a change makes of the records of one workspace. Scope and version are checked here, in every
 * mode: `RECORD_WORKSPACE`, `RECORD_STALE`, `RECORD_UNKNOWN`, `RECORD_KIND`, `RECORD_LIMIT`.
 */
export function applyChange(
  records: ReadonlyMap<string, MemoryRecord>,
  change: Change,
  home: string,
): Applied {
  if (change.workspace !== home)
    return refused(
      idOf(change),
      'RECORD_WORKSPACE',
      `the record would be of ${change.workspace}, this run is of ${home}`,
    );
  if (change.op === 'add') return add(records, change);
  if (change.op === 'confirm') return confirm(records, change);
  const { id } = change;
  const record = records.get(id);
  if (record === undefined)
    return change.op === 'forget'
      ? { ok: true, id, record: null, changed: false }
      : refused(id, 'RECORD_UNKNOWN', `there is no record ${id}`);
  switch (change.op) {
    case 'update':
      return update(record, change);
    case 'issue':
      return flag(record, change);
    case 'use':
      return kept({ ...record, uses: record.uses + 1, usedAt: later(record.usedAt, change.by.at) });
    case 'fail':
      return kept({
        ...record,
        failed: record.failed + 1,
        failedAt: later(record.failedAt, change.by.at),
      });
    case 'forget':
      return { ok: true, id, record: null, changed: true };
  }
}

/** Id that a change is about. */
export function idOf(change: Change): string {
  if (change.op === 'add') return noteId(change);
  return change.op === 'confirm' ? patternId(change.workspace, change.tried) : change.id;
}

function refused(id: string, code: RecordCode, message: string): Applied {
  return { ok: false, id, code, message };
}

function kept(record: MemoryRecord): Applied {
  return { ok: true, id: record.id, record, changed: true };
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

type ChangeOf<O extends Change['op']> = Extract<Change, { op: O }>;

/** The same words are there once; words that were changed since then stand beside them anew. */
function add(records: ReadonlyMap<string, MemoryRecord>, change: ChangeOf<'add'>): Applied {
  const first = noteId(change);
  for (let n = 1; ; n++) {
    const id = n === 1 ? first : `${first}-${n}`;
    const there = records.get(id);
    if (there === undefined) return kept(newRecord(id, partsOf(change)));
    if (there.title === change.title && there.body === change.body)
      return { ok: true, id, record: there, changed: false };
  }
}

function partsOf(change: ChangeOf<'add'>) {
  const { op: _, ...rest } = change;
  return rest;
}

function confirm(records: ReadonlyMap<string, MemoryRecord>, change: ChangeOf<'confirm'>): Applied {
  const id = patternId(change.workspace, change.tried);
  const { title, body, tags, tried, by: who } = change;
  const there = records.get(id);
  if (there === undefined)
    return kept(
      newRecord(
        id,
        { workspace: change.workspace, kind: 'pattern', title, body, tags, by: who },
        tried,
      ),
    );
  return kept({
    ...there,
    ...(there.issues.length === 0 ? { title, body, tags } : {}),
    confirmed: there.confirmed + 1,
    confirmedAt: later(there.confirmedAt, who.at),
    uses: there.uses + 1,
    usedAt: later(there.usedAt, who.at),
  });
}

function update(record: MemoryRecord, change: ChangeOf<'update'>): Applied {
  const { id } = record;
  if (record.kind === 'pattern')
    return refused(id, 'RECORD_KIND', `${id} is a pattern, which the engine alone writes`);
  const { title = record.title, body, tags = record.tags } = change;
  if (record.version !== change.seen) {
    const same = record.title === title && record.body === body;
    return same && record.updated.run === change.by.run
      ? { ok: true, id, record, changed: false }
      : refused(
          id,
          'RECORD_STALE',
          `${id} is at version ${record.version}, the change saw version ${change.seen}`,
        );
  }
  // new words answer the problems that were flagged on the old ones
  return kept({
    ...record,
    title,
    body,
    tags,
    issues: [],
    version: record.version + 1,
    updated: change.by,
    confirmedAt: later(record.confirmedAt, change.by.at),
  });
}

function flag(record: MemoryRecord, change: ChangeOf<'issue'>): Applied {
  const { text, metadata, by: who } = change;
  if (record.issues.some(i => i.text === text && i.metadata === metadata))
    return { ok: true, id: record.id, record, changed: false };
  if (record.issues.length >= recordLimits.issues)
    return refused(
      record.id,
      'RECORD_LIMIT',
      `${record.id} has ${record.issues.length} open problems already`,
    );
  const issues = [...record.issues, { text, metadata, by: who }];
  return kept({ ...record, issues, version: record.version + 1, updated: who });
}

/** The warning that stands on a record, in a few words; empty when there is none. */
export function warningOf(record: MemoryRecord): string {
  if (!isNegated(record)) return '';
  const issue = record.issues.at(-1);
  return issue === undefined
    ? `a run that followed it did not verify (${record.failedAt.slice(0, 10)})`
    : `contradicted: ${issue.text}`;
}

/** Who made a change, with who let it pass. */
export function acceptedBy(change: Change, who: string): Change {
  const provenance: Provenance = { ...change.by, accepted: who };
  return { ...change, by: provenance };
}
