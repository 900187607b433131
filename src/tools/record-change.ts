/** What the tools that write records share: foreign words ► a change, or why there is none (SPEC §8). */
import * as z from 'zod';
import { PhotonError } from '../codes.ts';
import type { Change } from '../memory/change.ts';
import { cleanNote } from '../memory/note-text.ts';
import type { Notebook } from '../memory/notebook.ts';
import { recordLimits } from '../memory/record.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** A workspace may be named; any other than the run's own is refused. */
export const workspaceField = z.string().min(1).max(300).optional();

/** Workspace that a call means; GitHub's names know no case. */
export function requestedWorkspace(
  { workspace }: { readonly workspace?: string | undefined },
  home: string,
): string {
  return workspace?.toLowerCase() ?? home;
}

export const keyField = z.string().min(1).max(60).describe('record id');

export const keywordsField = z.array(z.string().min(1).max(500)).max(recordLimits.tags);

/** The notebook of the run; the tools are offered only where there is one. */
export function notebookOf(context: ToolContext): Notebook {
  if (context.records === null)
    throw new PhotonError('INTERNAL', 'there are no records in this run');
  return context.records;
}

/** What a draft says before its words are cleaned. */
export type Draft =
  | { readonly ok: true; readonly change: Change; readonly removed: number }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface RecordTexts {
  readonly texts: Readonly<Record<string, { readonly raw: string; readonly maxBytes: number }>>;
  readonly tags?: readonly string[] | undefined;
}

export interface CleanTexts {
  readonly text: (name: string) => string;
  readonly tags: string[];
}

/** Cleans every text of a call, then makes its change of them. */
export function draftOf(
  context: ToolContext,
  words: RecordTexts,
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
    Object.entries(words.texts).map(([name, { raw, maxBytes }]) => [
      name,
      clean(name, raw, maxBytes),
    ]),
  );
  const listed = (words.tags ?? []).flatMap(t => t.split(','));
  const tags = listed.map(t => clean('keywords', t, recordLimits.tagBytes)).filter(t => t !== '');
  if (tags.length > recordLimits.tags)
    problems.push(`RECORD_TOO_LARGE: /keywords: ${recordLimits.tags} are the most`);
  if (texts.get('value') === '' && problems.length === 0) problems.push('/value: is empty');
  if (problems.length > 0) return { ok: false, problems };
  const text = (name: string) => texts.get(name) ?? '';
  return { ok: true, change: make({ text, tags: [...new Set(tags)] }), removed };
}

/** What is wrong with a draft in the light of the records; found before the call runs. */
export function draftProblems(context: ToolContext, draft: Draft): readonly string[] {
  if (!draft.ok) return draft.problems;
  const checked = notebookOf(context).check(draft.change);
  return checked.ok ? [] : [`${checked.code}: ${checked.message}`];
}

/** Takes a change into the notebook, and says what became of it and when it will count. */
export function takeDown(context: ToolContext, draft: Draft): ToolResult {
  if (!draft.ok) throw new PhotonError('INTERNAL', draft.problems.join('; '));
  const done = notebookOf(context).apply(draft.change);
  if (!done.ok) throw new PhotonError('INTERNAL', done.message);
  const version = done.record?.version ?? 0;
  const hidden = draft.removed === 0 ? '' : ` ${draft.removed} hidden characters were removed.`;
  const text = done.changed
    ? `${done.id} is at version ${version}; it is kept if this run commits.${hidden}`
    : `${done.id} says so already, at version ${version}.`;
  return { text, facts: { record: done.id, version, operation: draft.change.op } };
}
