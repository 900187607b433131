/** Finds variables that a function assigns and never reads: a sign that something is missing there. Pure. */
import type { Node } from 'web-tree-sitter';
import { applyTextEdits, editsFrom, type TextEdit } from '../candidates/edit.ts';
import type { LanguageAdapter } from '../languages/language.ts';

/** What an edit does about such variables of the function around it. */
export interface UnreadVariables {
  /** The first one that the edit reads; empty for none. */
  readonly read: string;
  /** The first one that nothing reads with the edit, either; empty for none. */
  readonly left: string;
}

/** Compares the outermost function around an edit with its text after the edit (redundancies: Xie, Engler 2002). */
export function unreadVariables(
  root: Node,
  edits: readonly TextEdit[],
  { types }: LanguageAdapter,
): UnreadVariables {
  const start = Math.min(...edits.map(e => e.start));
  const end = Math.max(...edits.map(e => e.end));
  let around: Node | undefined;
  for (let at = root.descendantForIndex(start, end); at !== null; at = at.parent)
    if (types.function.has(at.type)) around = at;
  if (around === undefined || around.startIndex > start || around.endIndex < end)
    return { read: '', left: '' };
  const before = around.text;
  const after = applyTextEdits(before, editsFrom(around.startIndex, edits));
  const unread = assignedIn(around).filter(name => count(name, before) === 1);
  return {
    read: unread.find(name => count(name, after) > 1) ?? '',
    left: unread.find(name => count(name, after) === 1) ?? '',
  };
}

/** The variables that statements of a function assign, without those of patterns, and those that are meant not to be read. */
function assignedIn(around: Node): readonly string[] {
  return around
    .descendantsOfType(['variable_declarator', 'assignment'])
    .flatMap(node => node?.childForFieldName('name') ?? node?.childForFieldName('left') ?? [])
    .filter(target => target.type === 'identifier' && !target.text.startsWith('_'))
    .map(target => target.text);
}

function count(name: string, text: string): number {
  return text.split(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`)).length - 1;
}
