/** Ranks the candidates that pass all tests, and finds the names that such an edit reads anew, or no longer. Pure. */
import type { Node } from 'web-tree-sitter';
import type { Candidate } from '../candidates/candidates.ts';
import { applyTextEdits, editsFrom, getEditRange, type TextEdit } from '../candidates/edit.ts';
import { revert } from '../candidates/templates/revert.ts';
import type { LanguageAdapter } from '../languages/language.ts';
import type { Survivor } from '../search/search.ts';
import { likelyShare } from '../search/search-limit.ts';
import type { Difference } from './differential.ts';

export interface Choice {
  readonly candidate: Candidate;
  readonly rank: number;
  /** Number of tokens that differ. */
  readonly size: number;
  /** The first error that a type checker or linter of the project reports with it, and not without it. */
  readonly refused?: string;
  /** True if the calls of passing cases return other values with it. */
  readonly changesPassing?: boolean;
  /** Variables that the function assigns and did not read before the edit. */
  readonly unread?: UnreadVariables;
  /** A name that was read before the edit and is not any more; undefined for none. */
  readonly dropped?: DroppedName;
  /** A line of code that only failing tests ran, and that no test runs with it. */
  readonly unrun?: number;
  /** Whether the program behaves differently with it than with the best; absent if that was not tried. */
  readonly against?: Difference;
  /** Name of the function that it changes; empty outside of functions. */
  readonly symbol?: string;
}

/** A survivor, and as much as is known about it. */
export type KnownSurvivor = Survivor & Omit<Partial<Choice>, keyof Survivor | 'size'>;

/**
 * Best first: those that no check refuses, then ordinary edits before risky ones, then those that change no value of
 * passing cases, then a small recent change undone, then those that read a variable that nothing read, then the smallest,
 * then the best rank.
 */
export function rankSurvivors(
  survivors: readonly KnownSurvivor[],
  textOf: ReadonlyMap<string, string>,
): readonly Choice[] {
  return survivors
    .map(s => ({ ...s, size: countChangedTokens(s.candidate, textOf.get(s.candidate.path) ?? '') }))
    .sort(
      (a, b) =>
        Number(a.refused !== undefined) - Number(b.refused !== undefined) ||
        Number(a.candidate.risk !== '') - Number(b.candidate.risk !== '') ||
        Number(a.changesPassing ?? false) - Number(b.changesPassing ?? false) ||
        Number(isShortRevert(b)) - Number(isShortRevert(a)) ||
        Number(readsUnread(b)) - Number(readsUnread(a)) ||
        a.size - b.size ||
        a.rank - b.rank,
    );
}

/** Number of tokens up to which a recent change is preferably undone. */
const maxReverted = 12;

const isShortRevert = ({ candidate, size }: Choice) =>
  candidate.template === revert && size <= maxReverted;

const readsUnread = ({ unread }: Pick<Choice, 'unread'>) =>
  unread !== undefined && unread.read !== '';

/** True for what the code was before, and for what it computes and did not use. */
export const hasOwnReason = (choice: Choice) => isShortRevert(choice) || readsUnread(choice);

/** The edits that are as plain and about as likely as the best, and that are not known to behave alike. */
export function undecided(best: Choice, others: readonly Choice[]): readonly Choice[] {
  if (hasOwnReason(best)) return [];
  return others.filter(
    o =>
      o.candidate.risk === '' &&
      o.refused === undefined &&
      o.size <= best.size &&
      o.candidate.score >= likelyShare * best.candidate.score &&
      o.against?.kind !== 'same',
  );
}

/** The words and marks of a text, with their places. */
export const placedTokens = (text: string) => [...text.matchAll(/[\w$]+|[^\s\w$]+/g)];

const tokens = (text: string) => placedTokens(text).map(m => m[0]);

/** Number of tokens outside the longest common subsequence of both texts. */
function countChangedTokens({ edits }: Candidate, text: string): number {
  const { start, end } = getEditRange(edits);
  const before = text.slice(start, end);
  const after = applyTextEdits(before, editsFrom(start, edits));
  const [one, other] = [tokens(before), tokens(after)];
  const common = commonLength(one, other);
  return Math.max(one.length, other.length) - common;
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const token of one) {
    const next = [0];
    for (let j = 1; j <= other.length; j++)
      next.push(
        other[j - 1] === token ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}

/** What an edit does about such variables of the function around it. */
interface UnreadVariables {
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
  const { start, end } = getEditRange(edits);
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

/** A name or member, without what is called, in quotes, or a word of the language. */
const read = /(?<![\w$'"`])[A-Za-z_$][\w$]*(?![\w$'"`]|\s*\()/g;
const words =
  /^(?:true|false|null|undefined|None|True|False|this|self|return|break|continue|pass|throw|raise|if|elif|else|not|and|or|in|is|typeof|new|await|const|let|var|for|while|Infinity|NaN)$/;

/** A name that is not read any more, and in which part of the program. */
interface DroppedName {
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
  const { start, end } = getEditRange(edits);
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
