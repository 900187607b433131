/** Finds a name that a function read before an edit and does not read any more: a sign of lost functionality. Pure. */
import type { Node } from 'web-tree-sitter';
import { applyTextEdits, type TextEdit } from './edit.ts';
import type { LanguageAdapter } from './language-adapter.ts';

/** A name or member, without what is called, in quotes, or a word of the language. */
const read = /(?<![\w$'"`])[A-Za-z_$][\w$]*(?![\w$'"`]|\s*\()/g;
const words =
  /^(?:true|false|null|undefined|None|True|False|this|self|return|if|else|not|and|or|in|is|typeof|new|await|const|let|var|for|while|Infinity|NaN)$/;

/** The first such name; empty for none, and for an edit outside of functions. Patches that pass often delete (Qi et al. 2015). */
export function droppedName(
  root: Node,
  edits: readonly TextEdit[],
  { types }: LanguageAdapter,
): string {
  const start = Math.min(...edits.map(e => e.start));
  const end = Math.max(...edits.map(e => e.end));
  let around = root.descendantForIndex(start, Math.max(start, end - 1));
  while (around !== null && !types.function.has(around.type)) around = around.parent;
  if (around === null || around.endIndex < end) return '';
  const from = around.startIndex;
  const moved = edits.map(e => ({ ...e, start: e.start - from, end: e.end - from }));
  const after = new Set(applyTextEdits(around.text, moved).match(/[A-Za-z_$][\w$]*/g) ?? []);
  const removed = moved.flatMap(e => around.text.slice(e.start, e.end).match(read) ?? []);
  return removed.find(name => !words.test(name) && !after.has(name)) ?? '';
}
