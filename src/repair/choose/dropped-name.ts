/** Finds a name that a function read before an edit and does not read any more: a sign of lost functionality. Pure. */
import type { Node } from 'web-tree-sitter';
import { applyTextEdits, editsFrom, type TextEdit } from '../candidates/edit.ts';
import type { LanguageAdapter } from '../languages/language.ts';

/** A name or member, without what is called, in quotes, or a word of the language. */
const read = /(?<![\w$'"`])[A-Za-z_$][\w$]*(?![\w$'"`]|\s*\()/g;
const words =
  /^(?:true|false|null|undefined|None|True|False|this|self|return|break|continue|pass|throw|raise|if|elif|else|not|and|or|in|is|typeof|new|await|const|let|var|for|while|Infinity|NaN)$/;

/** A name that is not read any more, and in which part of the program. */
export interface DroppedName {
  readonly name: string;
  readonly from: 'function' | 'statement';
}

/**
 * The first such name; undefined for none, and for an edit outside of functions. Patches that pass often delete (Qi et al.
 * 2015). A name that only the statement loses counts if another name takes its place that the statement already reads:
 * equal operands are signs of errors (Xie, Engler 2002).
 */
export function droppedName(
  root: Node,
  edits: readonly TextEdit[],
  { types }: LanguageAdapter,
): DroppedName | undefined {
  const start = Math.min(...edits.map(e => e.start));
  const end = Math.max(...edits.map(e => e.end));
  let around = root.descendantForIndex(start, Math.max(start, end - 1));
  let statement: Node | undefined;
  while (around !== null && !types.function.has(around.type)) {
    if (types.simple.has(around.type) || around.type === types.return) statement ??= around;
    around = around.parent;
  }
  if (around === null || around.endIndex < end) return undefined;
  const lost = lostIn(around, edits);
  if (lost.name !== '') return { name: lost.name, from: 'function' };
  if (statement === undefined || statement.endIndex < end) return undefined;
  const own = lostIn(statement, edits);
  return own.name !== '' && own.doubles ? { name: own.name, from: 'statement' } : undefined;
}

/** The first name that a node does not read after the edits, and whether they add only names that it reads already. */
function lostIn(node: Node, edits: readonly TextEdit[]) {
  const moved = editsFrom(node.startIndex, edits);
  const after = new Set(namesIn(applyTextEdits(node.text, moved)));
  // whether a name is called shows behind the edit
  const removed = [...node.text.matchAll(read)]
    .filter(({ 0: found, index }) =>
      moved.some(e => e.start < index + found.length && index < e.end),
    )
    .map(m => m[0]);
  const name = removed.find(n => !words.test(n) && !after.has(n)) ?? '';
  const kept = new Set(
    namesIn(
      applyTextEdits(
        node.text,
        moved.map(e => ({ ...e, text: '' })),
      ),
    ),
  );
  const added = moved.flatMap(e => namesIn(e.text)).filter(n => !removed.includes(n));
  return { name, doubles: added.length > 0 && added.every(n => kept.has(n)) };
}

const namesIn = (text: string) => text.match(/[A-Za-z_$][\w$]*/g) ?? [];
