/** Turns the arguments of the tools that write records into a checked change of the records. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import type { Change } from '../memory/change.ts';
import { cleanNote } from '../memory/note-text.ts';
import { recordLimits } from '../memory/record.ts';
import type { RunRecords } from '../memory/run-records.ts';
import { defineTool, type Tool, type ToolContext, type ToolResult } from './tool.ts';

/** Optional; a workspace other than the run's own is refused. */
export const workspaceField = z.string().min(1).max(300).optional();

/** The workspace that a call names, in lower case: GitHub names are case-insensitive. */
export function requestedWorkspace(
  { workspace }: { readonly workspace?: string | undefined },
  home: string,
): string {
  return workspace?.toLowerCase() ?? home;
}

export const keyField = z.string().min(1).max(60).describe('record id');

export const keywordsField = z.array(z.string().min(1).max(500)).max(recordLimits.tags);

/** The records of the run. The tools are offered only when there are some. */
export function getRunRecords(context: ToolContext): RunRecords {
  if (context.records === undefined)
    throw new PhotonError('INTERNAL', 'there are no records in this run');
  return context.records;
}

/** A change made from cleaned texts, or the problems that were found in them. */
export type Draft =
  | { readonly ok: true; readonly change: Change; readonly removed: number }
  | { readonly ok: false; readonly problems: readonly string[] };

interface RecordTexts {
  readonly texts: Readonly<Record<string, string>>;
  /** Of each text but a title; that of a body by default. */
  readonly maxBytes?: number;
  readonly keywords?: readonly string[] | undefined;
}

interface CleanTexts {
  readonly text: (name: string) => string;
  readonly tags: string[];
}

/** Cleans every text of a call, then makes the change from them. */
export function makeDraft(
  context: ToolContext,
  { texts: given, maxBytes: most = recordLimits.bodyBytes, keywords = [] }: RecordTexts,
  make: (clean: CleanTexts) => Change,
): Draft {
  const problems: string[] = [];
  let removed = 0;
  const clean = (name: string, raw: string, maxBytes: number): string => {
    const done = cleanNote(raw, { name, maxBytes, holdsSecret: context.holdsSecret });
    if (done.ok) removed += done.removed;
    else problems.push(`${done.code}: ${done.message}`);
    return done.ok ? done.text : '';
  };
  const texts = new Map(
    Object.entries(given).map(([name, raw]) => [
      name,
      clean(name, raw, name === 'title' ? recordLimits.titleBytes : most),
    ]),
  );
  const listed = keywords.flatMap(t => t.split(','));
  const tags = listed.map(t => clean('keywords', t, recordLimits.tagBytes)).filter(t => t !== '');
  if (tags.length > recordLimits.tags)
    problems.push(`RECORD_TOO_LARGE: /keywords: at most ${recordLimits.tags} are allowed`);
  if (texts.get('value') === '' && problems.length === 0)
    problems.push('/value: must not be empty');
  if (problems.length > 0) return { ok: false, problems };
  const text = (name: string) => texts.get(name) ?? '';
  return { ok: true, change: make({ text, tags: [...new Set(tags)] }), removed };
}

interface RecordTool<S extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly schema: S;
  readonly draft: (args: z.infer<S>, context: ToolContext) => Draft;
}

/** Makes a tool that changes the records of the run by what a call drafts. */
export function defineRecordTool<S extends z.ZodType>({ draft, ...facts }: RecordTool<S>): Tool {
  return defineTool({
    ...facts,
    needs: 'records',
    core: true,
    step: undefined,
    claims: () => [{ kind: 'note' }],
    problems: async (args, context) => draftProblems(context, draft(args, context)),
    run: async (args, context) => applyDraft(context, draft(args, context)),
  });
}

/** Problems of a draft, given the current records; checked before the call runs. */
function draftProblems(context: ToolContext, draft: Draft): readonly string[] {
  if (!draft.ok) return draft.problems;
  const checked = getRunRecords(context).check(draft.change);
  return checked.ok ? [] : [`${checked.code}: ${checked.message}`];
}

/** Applies a change to the records of the run and reports the new version of the record. */
function applyDraft(context: ToolContext, draft: Draft): ToolResult {
  if (!draft.ok) throw new PhotonError('INTERNAL', draft.problems.join('; '));
  const done = getRunRecords(context).apply(draft.change);
  if (!done.ok) throw new PhotonError('INTERNAL', done.message);
  const version = done.record?.version ?? 0;
  const hidden = draft.removed === 0 ? '' : ` ${draft.removed} hidden characters were removed.`;
  const text = done.changed
    ? `${done.id} is now at version ${version}; the end of the run decides whether it is kept.${hidden}`
    : `${done.id} already says this, at version ${version}.`;
  return { text, facts: { record: done.id, version, operation: draft.change.op } };
}
