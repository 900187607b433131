/** Defines records: long-term notes about one repository, with version and provenance. */
import * as z from 'zod';
import { canonicalJson, hashJson } from '../base/digest.ts';
import { parseJson } from '../base/schema-issue.ts';

/** Limits of a record, in UTF-8 bytes and entries. */
export const recordLimits = {
  titleBytes: 200,
  bodyBytes: 4000,
  tags: 12,
  tagBytes: 60,
  issues: 10,
  issueBytes: 1000,
  files: 20,
} as const;

/** Kinds that an agent may write; only the engine writes patterns. */
export const agentKinds = ['note', 'constraint'] as const;

const recordKinds = [...agentKinds, 'pattern'] as const;

export type RecordKind = (typeof recordKinds)[number];

export const idSchema = z.string().regex(/^[a-z0-9-]{3,40}$/);
const short = z.string().max(300);
const path = z.string().min(1).max(1000);
const time = z.iso.datetime();

/** Who made a change, in which run, on which commit, when. */
export const provenanceSchema = z.strictObject({
  run: short,
  commit: short,
  who: short,
  at: time,
  /** Who accepted the change, if it was reviewed. */
  accepted: short.optional(),
});

const bytes = (max: number) =>
  z.string().refine(s => Buffer.byteLength(s) <= max, `more than ${max} bytes`);

export const titleSchema = bytes(recordLimits.titleBytes).min(1);
export const bodySchema = bytes(recordLimits.bodyBytes).min(1);
export const tagsSchema = z.array(bytes(recordLimits.tagBytes).min(1)).max(recordLimits.tags);

const issueSchema = z.strictObject({
  text: bytes(recordLimits.issueBytes).min(1),
  metadata: bytes(recordLimits.issueBytes),
  by: provenanceSchema,
});

/** What a pattern was applied to, and what verified it. */
export const triedSchema = z.strictObject({
  files: z.array(path).min(1).max(recordLimits.files),
  skills: z.array(short).max(20),
  command: z.string().min(1).max(1000),
});

const count = z.int().min(0);

const recordSchema = z.strictObject({
  schema: z.literal(1),
  id: idSchema,
  workspace: z.string().min(1).max(300),
  kind: z.enum(recordKinds),
  title: titleSchema,
  body: bodySchema,
  tags: tagsSchema,
  /** Counts changes of the text and flagged problems; uses and verifications do not change it. */
  version: z.int().min(1),
  created: provenanceSchema,
  updated: provenanceSchema,
  issues: z.array(issueSchema).max(recordLimits.issues),
  uses: count,
  usedAt: time,
  /** How often verifications confirmed it, and when last. */
  confirmed: count,
  confirmedAt: time,
  /** How often a run that used it failed verification, and when last; empty for never. */
  failed: count,
  failedAt: z.union([time, z.literal('')]),
  tried: triedSchema.optional(),
});

export type MemoryRecord = z.infer<typeof recordSchema>;
export type Provenance = z.infer<typeof provenanceSchema>;
export type TriedApproach = z.infer<typeof triedSchema>;

/** The parts of a new record. */
interface NewRecord {
  readonly workspace: string;
  readonly kind: RecordKind;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly by: Provenance;
}

/** A record in its first version. */
export function newRecord(id: string, parts: NewRecord, tried?: TriedApproach): MemoryRecord {
  const { by, tags, ...text } = parts;
  return {
    schema: 1,
    id,
    ...text,
    tags: [...tags],
    version: 1,
    created: by,
    updated: by,
    issues: [],
    uses: 0,
    usedAt: by.at,
    confirmed: tried === undefined ? 0 : 1,
    confirmedAt: by.at,
    failed: 0,
    failedAt: '',
    tried,
  };
}

/** Id of a note: the same text in the same repository has the same id, so that it is stored once. */
export function noteId(parts: Pick<NewRecord, 'workspace' | 'kind' | 'title' | 'body'>): string {
  const { workspace, kind, title, body } = parts;
  return `r-${hashJson({ workspace, kind, title, body }).slice(0, 12)}`;
}

/** Id of a pattern: the same files, skills and command are the same pattern. */
export function patternId(workspace: string, tried: TriedApproach): string {
  return `p-${hashJson({ workspace, tried }).slice(0, 12)}`;
}

/** True when a record is a warning: its last verification failed, or it has an open problem. */
export function isNegated(record: MemoryRecord): boolean {
  return (
    record.issues.length > 0 || (record.failedAt !== '' && record.failedAt >= record.confirmedAt)
  );
}

/** Path of a record's file in the store. */
export function recordPath(id: string): string {
  return `records/${id}.json`;
}

/** Text of the file; equal records have equal bytes. */
export function renderRecord(record: MemoryRecord): string {
  return canonicalJson(record);
}

/** Parses a record file, which is untrusted; undefined when it is invalid. */
export function parseRecordFile(filePath: string, text: string): MemoryRecord | undefined {
  const { data } = recordSchema.safeParse(parseJson(text));
  return data !== undefined && recordPath(data.id) === filePath ? data : undefined;
}

/** The records of a store by id; counts invalid files and records of other workspaces. */
export function readRecords(
  files: ReadonlyMap<string, string>,
  workspace: string,
): {
  readonly records: ReadonlyMap<string, MemoryRecord>;
  readonly unreadable: number;
  readonly foreign: number;
} {
  const records = new Map<string, MemoryRecord>();
  let unreadable = 0;
  let foreign = 0;
  for (const [filePath, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!filePath.startsWith('records/')) continue;
    const record = parseRecordFile(filePath, text);
    if (record === undefined) unreadable += 1;
    else if (record.workspace !== workspace) foreign += 1;
    else records.set(record.id, record);
  }
  return { records, unreadable, foreign };
}
