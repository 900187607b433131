/** Edits of a text by offset, as lines and in their plain form. Pure. */
import { commonEnds } from '../../base/plural.ts';

/** Replaces `[start, end)`, in UTF-16 units of the text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The range that holds all the edits. */
export function getEditRange(edits: readonly TextEdit[]): { start: number; end: number } {
  return { start: Math.min(...edits.map(e => e.start)), end: Math.max(...edits.map(e => e.end)) };
}

/** The same edits of a part of the text, which begins at `from`. */
export function editsFrom(from: number, edits: readonly TextEdit[]): readonly TextEdit[] {
  return edits.map(e => ({ ...e, start: e.start - from, end: e.end - from }));
}

/** Applies edits that do not overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = [...edits].sort((a, b) => b.start - a.start || b.end - a.end);
  return inOrder.reduce((now, e) => now.slice(0, e.start) + e.text + now.slice(e.end), text);
}

/** Replaces lines `startLine` to `endLine`, counted from 1 and inclusive, with `content`. */
export interface LineReplacement {
  readonly startLine: number;
  readonly endLine: number;
  readonly content: string;
}

/** The smallest range of lines that holds the edits, with its new text; undefined if nothing differs. */
export function findLineEdit(
  text: string,
  edits: readonly TextEdit[],
): LineReplacement | undefined {
  const before = text.split('\n');
  const after = applyTextEdits(text, edits).split('\n');
  const { head: top, tail: bottom } = commonEnds(before, after);
  const removed = before.length - top - bottom;
  const added = after.slice(top, after.length - bottom);
  if (removed === 0 && added.length === 0) return undefined;
  // a pure insertion or deletion includes a neighbouring line, so that it is a replacement, too
  if (removed === 0 || added.length === 0) {
    const withBefore = top > 0;
    const neighbour = withBefore ? top - 1 : top + removed;
    const start = withBefore ? top : top + 1;
    const content = withBefore
      ? [before[neighbour] ?? '', ...added]
      : [...added, before[neighbour] ?? ''];
    return {
      startLine: start,
      endLine: withBefore ? top + removed : top + removed + 1,
      content: content.join('\n'),
    };
  }
  return { startLine: top + 1, endLine: top + removed, content: added.join('\n') };
}

type Rule = readonly [found: RegExp, plain: string | ((...parts: string[]) => string)];

const opposites: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};
const opposite = (...[, left = '', operator = '', right = '']: string[]) =>
  `${left} ${opposites[operator]} ${right}`;

const operand = '[\\w$.\'"\\[\\] %*+-]+?';

/** Each rule keeps the meaning for numbers; the tests decide whether it does for other values. */
const rules: readonly Rule[] = [
  [/ (?:\*\*?|\/) 1(?![\w.])/g, ''],
  [/(?<![\w.)\]*/%-] ?)\b1 \* /g, ''],
  [/ [-+] 0(?![\w.])/g, ''],
  [/(?<=[(=[,] ?|return )0 \+ /g, ''],
  [/ \+ 1 - 1(?![\w.])| - 1 \+ 1(?![\w.])/g, ''],
  [/ \+ -(?=\w)/g, ' - '],
  [/ - -(?=\w)/g, ' + '],
  [/ \+ 1 \+ 1(?![\w.])/g, ' + 2'],
  [/ - 1 - 1(?![\w.])/g, ' - 2'],
  [new RegExp(`!\\((${operand}) ([!=]==?|[<>]=?) (${operand})\\)`, 'g'), opposite],
  [new RegExp(`\\bnot \\((${operand}) ([!=]=|[<>]=?) (${operand})\\)`, 'g'), opposite],
  [/\bnot \(([\w.]+) in ([\w.]+)\)/g, '$1 not in $2'],
  [/\bnot \(([\w.]+) is ([\w.]+)\)/g, '$1 is not $2'],
  [/\bnot ([\w.]+) in\b/g, '$1 not in'],
  [/!!(?=[(!])/g, ''],
  [/\bnot not /g, ''],
];

/** A quick test that holds for every text that a rule changes. */
const mayBeIdle = /(?:[*/] |[-+] -?|\b)[01]\b|[-+] -|!\(|!!|\bnot\b/;

const maxChars = 2000;
const maxRounds = 3;

/** The plain form of a line of code. */
export function plainForm(text: string): string {
  let now = text;
  for (let round = 0; round < maxRounds; round++) {
    const next = rules.reduce(
      (all, [found, plain]) =>
        typeof plain === 'string' ? all.replace(found, plain) : all.replace(found, plain),
      now,
    );
    if (next === now) break;
    now = next;
  }
  return now;
}

/** One edit that makes of the lines around the edits what `rewrite` makes of them, from the first to the last character that differs. */
export function joinEdits(
  text: string,
  edits: readonly TextEdit[],
  rewrite: (before: string, after: string) => string = (_before, after) => after,
): TextEdit {
  const { start, end } = getEditRange(edits);
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const to = newline < 0 ? text.length : newline;
  const before = text.slice(from, to);
  const after = rewrite(before, applyTextEdits(before, editsFrom(from, edits)));
  const { head, tail } = commonEnds(before, after);
  return { start: from + head, end: to - tail, text: after.slice(head, after.length - tail) };
}

/**
 * The edits in plain form, as one edit of the lines that they change; the same edits if they are plain.
 * Lines that are not in plain form before the edit stay as they are.
 */
export function plainEdits(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  let isPlain = true;
  const joined = joinEdits(text, edits, (before, after) => {
    if (after.length > maxChars || !mayBeIdle.test(after)) return after;
    const plain = plainForm(after);
    isPlain = plain === after || plainForm(before) !== before;
    return isPlain ? after : plain;
  });
  return isPlain ? edits : [joined];
}
