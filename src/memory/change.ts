/** Defines the changes of records, checks them against the current records, applies them, and makes one from a verified run. */
import * as z from 'zod';
import type { Code } from '../base/codes.ts';
import { listFirst } from '../base/plural.ts';
import { makeTitle } from './note-text.ts';
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
  type TriedApproach,
  tagsSchema,
  titleSchema,
  triedSchema,
} from './record.ts';

const by = provenanceSchema;
const workspace = z.string().min(1).max(300);
const parts = { workspace, title: titleSchema, body: bodySchema, tags: tagsSchema, by };

/** Every change of records; reviewers see the first four kinds. */
export const changeSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), kind: z.enum(agentKinds), ...parts }),
  z.strictObject({
    op: z.literal('update'),
    workspace,
    id: idSchema,
    /** The version that the writer read. */
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
  /** A verification confirmed a pattern, which may be new. */
  z.strictObject({ op: z.literal('confirm'), ...parts, tried: triedSchema }),
  /** A run that committed had looked up the record. */
  z.strictObject({ op: z.literal('use'), workspace, id: idSchema, by }),
  /** A run that followed the pattern failed verification. */
  z.strictObject({ op: z.literal('fail'), workspace, id: idSchema, by }),
  z.strictObject({ op: z.literal('forget'), workspace, id: idSchema, by }),
]);

export type Change = z.infer<typeof changeSchema>;

type RecordCode = Extract<Code, `RECORD_${string}`>;

export type ChangeResult =
  /** `record` is null when it no longer exists; `changed` is false when the change was already made. */
  | {
      readonly ok: true;
      readonly id: string;
      readonly record?: MemoryRecord;
      readonly changed: boolean;
    }
  | {
      readonly ok: false;
      readonly id: string;
      readonly code: RecordCode;
      readonly message: string;
    };

/**
 * Applies a change to the records of one workspace. Checks scope and version in every mode. Codes:
 * `RECORD_WORKSPACE`, `RECORD_STALE`, `RECORD_UNKNOWN`, `RECORD_KIND`, `RECORD_LIMIT`.
 */
export function applyChange(
  records: ReadonlyMap<string, MemoryRecord>,
  change: Change,
  home: string,
): ChangeResult {
  if (change.workspace !== home)
    return refuseChange(
      getRecordId(change),
      'RECORD_WORKSPACE',
      `the record belongs to ${change.workspace}, but this run works on ${home}`,
    );
  if (change.op === 'add') return add(records, change);
  if (change.op === 'confirm') return confirm(records, change);
  const { id } = change;
  const record = records.get(id);
  if (record === undefined)
    return change.op === 'forget'
      ? { ok: true, id, record: undefined, changed: false }
      : refuseChange(id, 'RECORD_UNKNOWN', `there is no record ${id}`);
  switch (change.op) {
    case 'update':
      return update(record, change);
    case 'issue':
      return flag(record, change);
    case 'use':
      return keepRecord({
        ...record,
        uses: record.uses + 1,
        usedAt: later(record.usedAt, change.by.at),
      });
    case 'fail': {
      const failedAt = later(record.failedAt, change.by.at);
      return keepRecord({ ...record, failed: record.failed + 1, failedAt });
    }
    case 'forget':
      return { ok: true, id, record: undefined, changed: true };
  }
}

/** The id of the record that a change is about. */
export function getRecordId(change: Change): string {
  if (change.op === 'add') return noteId(change);
  return change.op === 'confirm' ? patternId(change.workspace, change.tried) : change.id;
}

function refuseChange(id: string, code: RecordCode, message: string): ChangeResult {
  return { ok: false, id, code, message };
}

function keepRecord(record: MemoryRecord): ChangeResult {
  return { ok: true, id: record.id, record, changed: true };
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

type ChangeOf<O extends Change['op']> = Extract<Change, { op: O }>;

/** Adds a note unless it exists; a note that was changed since then stays, and the new one gets a numbered id. */
function add(records: ReadonlyMap<string, MemoryRecord>, change: ChangeOf<'add'>): ChangeResult {
  const { op: _, ...parts } = change;
  const first = noteId(change);
  for (let n = 1; ; n++) {
    const id = n === 1 ? first : `${first}-${n}`;
    const existing = records.get(id);
    if (existing === undefined) return keepRecord(newRecord(id, parts));
    if (existing.title === change.title && existing.body === change.body)
      return { ok: true, id, record: existing, changed: false };
  }
}

function confirm(
  records: ReadonlyMap<string, MemoryRecord>,
  change: ChangeOf<'confirm'>,
): ChangeResult {
  const id = patternId(change.workspace, change.tried);
  const { title, body, tags, tried, by: who } = change;
  const there = records.get(id);
  if (there === undefined) {
    const { workspace } = change;
    const parts = { workspace, kind: 'pattern', title, body, tags, by: who } as const;
    return keepRecord(newRecord(id, parts, tried));
  }
  const texts = there.issues.length === 0 ? { title, body, tags } : undefined;
  return keepRecord({
    ...there,
    ...texts,
    confirmed: there.confirmed + 1,
    confirmedAt: later(there.confirmedAt, who.at),
    uses: there.uses + 1,
    usedAt: later(there.usedAt, who.at),
  });
}

function update(record: MemoryRecord, change: ChangeOf<'update'>): ChangeResult {
  const { id } = record;
  if (record.kind === 'pattern')
    return refuseChange(id, 'RECORD_KIND', `${id} is a pattern, which only the engine may write`);
  const { title = record.title, body, tags = record.tags } = change;
  if (record.version !== change.seen) {
    const same = record.title === title && record.body === body;
    return same && record.updated.run === change.by.run
      ? { ok: true, id, record, changed: false }
      : refuseChange(
          id,
          'RECORD_STALE',
          `${id} is at version ${record.version}, but the change is based on version ${change.seen}`,
        );
  }
  // a rewrite resolves the problems that were flagged on the old text
  return keepRecord({
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

function flag(record: MemoryRecord, change: ChangeOf<'issue'>): ChangeResult {
  const { text, metadata, by: who } = change;
  if (record.issues.some(i => i.text === text && i.metadata === metadata))
    return { ok: true, id: record.id, record, changed: false };
  if (record.issues.length >= recordLimits.issues)
    return refuseChange(
      record.id,
      'RECORD_LIMIT',
      `${record.id} has ${record.issues.length} open problems already`,
    );
  const issues = [...record.issues, { text, metadata, by: who }];
  return keepRecord({ ...record, issues, version: record.version + 1, updated: who });
}

/** The warning of a record, as a short phrase; may be empty. */
export function describeWarning(record: MemoryRecord): string {
  if (!isNegated(record)) return '';
  const issue = record.issues.at(-1);
  return issue === undefined
    ? `a run that followed it failed verification (${record.failedAt.slice(0, 10)})`
    : `contradicted: ${issue.text}`;
}

/** Adds the person who accepted a change to its provenance. */
export function acceptedBy(change: Change, who: string): Change {
  const provenance: Provenance = { ...change.by, accepted: who };
  return { ...change, by: provenance };
}

interface VerifiedRun {
  readonly workspace: string;
  /** The cleaned task text. */
  readonly task: string;
  readonly files: readonly string[];
  readonly skills: readonly string[];
  /** The test command that passed. */
  readonly command: string;
  readonly changedLines: number;
  readonly repairs: number;
  readonly by: Provenance;
}

/** The change that records a verified run; undefined when it touched too many files for a pattern. */
export function makePattern(run: VerifiedRun): Extract<Change, { op: 'confirm' }> | undefined {
  const { workspace, task, command, by } = run;
  if (run.files.length === 0 || run.files.length > recordLimits.files || command === '')
    return undefined;
  const tried: TriedApproach = {
    files: [...run.files].sort(),
    skills: [...run.skills].sort(),
    command: command.slice(0, 1000),
  };
  const title = makeTitle(task, recordLimits.titleBytes) || 'Untitled task';
  const skills = tried.skills.length === 0 ? '' : ` with ${tried.skills.join(', ')}`;
  const repairs = run.repairs === 0 ? '' : ` after ${run.repairs} failed verifications`;
  const files = listFirst(tried.files, String, { most: 8 });
  const body = `Changed ${files} (${run.changedLines} lines)${skills}; ${command.slice(0, 200)} passed${repairs}.`;
  return { op: 'confirm', workspace, title, body: cutBody(body), tags: [], tried, by };
}

function cutBody(text: string): string {
  let kept = text;
  while (Buffer.byteLength(kept) > recordLimits.bodyBytes)
    kept = kept.slice(0, Math.floor(kept.length * 0.9)).toWellFormed();
  return kept;
}

/** The patterns that a run was shown and followed: its patch changed their files. */
export function followedPatterns(
  shown: readonly MemoryRecord[],
  files: readonly string[],
): readonly MemoryRecord[] {
  const touched = new Set(files);
  return shown.filter(r => r.tried?.files.some(f => touched.has(f)) === true);
}
