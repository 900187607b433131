/** Writes an edit in its plain form: `x * 1` as `x`, `!(a === b)` as `a !== b`. Pure. */

import { commonEnds } from '../../base/plural.ts';
import { applyTextEdits, editsFrom, type TextEdit } from './edit.ts';

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
  [/\blen\(([\w.]+)\[(?:1:|:-1)\]\)/g, 'len($1) - 1'],
  [/\b([\w.]{1,200})\.slice\((?:1|0, -1)\)\.length\b/g, '$1.length - 1'],
  [/\.get\(([\w.'"]+), None\)/g, '.get($1)'],
  [/!!(?=[(!])/g, ''],
  [/\bnot not /g, ''],
];

/** A quick test that holds for every text that a rule changes. */
const mayBeIdle = /(?:[*/] |[-+] -?|\b)[01]\b|[-+] -|!\(|!!|\bnot\b|len\(|slice\(|get\(/;

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

/**
 * The edits in plain form, as one edit of the lines that they change; the same edits if they are plain.
 * Lines that are not in plain form before the edit stay as they are.
 */
export function plainEdits(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  const from = text.lastIndexOf('\n', Math.min(...edits.map(e => e.start)) - 1) + 1;
  const last = Math.max(...edits.map(e => e.end));
  const newline = text.indexOf('\n', last);
  const to = newline < 0 ? text.length : newline;
  const before = text.slice(from, to);
  const after = applyTextEdits(before, editsFrom(from, edits));
  if (after.length > maxChars || !mayBeIdle.test(after)) return edits;
  const plain = plainForm(after);
  if (plain === after || plainForm(before) !== before) return edits;
  const { head: top, tail: bottom } = commonEnds(before, plain);
  return [{ start: from + top, end: to - bottom, text: plain.slice(top, plain.length - bottom) }];
}
