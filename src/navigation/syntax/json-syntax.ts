/** Judges JSON. Comments and trailing commas count as valid, except in files whose readers refuse them. */
import { basename } from 'node:path';
import type { SyntaxProblem } from '../symbols.ts';

/** Files that npm and Composer read, which know neither comments nor trailing commas. */
const strict = new Set(['package.json', 'package-lock.json', 'composer.json', 'composer.lock']);

/** The first error of a JSON text, or none. `JSON.parse` judges, too, but seldom says where. */
export function jsonErrors(path: string, text: string): readonly SyntaxProblem[] {
  const at = findError(text, strict.has(basename(path)));
  if (at === undefined) return [];
  const above = text.slice(0, at).split('\n');
  const found = /[^\n]{0,20}/y.exec(text.slice(at))?.[0] ?? '';
  const message =
    text.slice(at).trim() === '' ? 'unexpected end' : `unexpected ${JSON.stringify(found)}`;
  return [{ line: above.length, column: (above.at(-1)?.length ?? 0) + 1, message }];
}

const tokens = new RegExp(
  [
    String.raw`(?<space>[ \t\r\n]+)`,
    String.raw`(?<comment>//[^\n]*|/\*[^]*?\*/)`,
    String.raw`(?<text>"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")`,
    String.raw`(?<plain>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)`,
    String.raw`(?<mark>[{}[\],:])`,
  ].join('|'),
  'y',
);

/** What may come next: `first` is right after an opening bracket, where the closing one may come instead. */
type Next = 'value' | 'element' | 'first element' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

/** Where a text stops being JSON; undefined if it is JSON. */
function findError(text: string, isStrict: boolean): number | undefined {
  const open: string[] = [];
  let next: Next = 'value';
  const pattern = new RegExp(tokens);
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined || (isStrict && groups.comment !== undefined)) return at;
    if (groups.space !== undefined || groups.comment !== undefined) continue;
    const token = groups.mark ?? (groups.text === undefined ? 'plain' : 'text');
    const after = follow({ next, open, isStrict }, token);
    if (after === undefined) return at;
    next = after;
  }
  return next === 'end' ? undefined : text.length;
}

interface TokenContext {
  readonly next: Next;
  /** The brackets that are open; `follow` changes it. */
  readonly open: string[];
  readonly isStrict: boolean;
}

/** What may come after a token; undefined if it may not stand there. */
function follow({ next, open, isStrict }: TokenContext, token: string): Next | undefined {
  const done = () => (open.length === 0 ? 'end' : 'comma');
  const inObject = open.at(-1) === '{';
  if (token === '}' || token === ']') {
    const first = inObject ? 'first key' : 'first element';
    const trailing = inObject ? 'key' : 'element';
    const closes = next === 'comma' || next === first || (!isStrict && next === trailing);
    if (!closes || open.pop() !== (token === '}' ? '{' : '[')) return undefined;
    return done();
  }
  if (next === 'colon') return token === ':' ? 'value' : undefined;
  if (next === 'comma') return token === ',' ? (inObject ? 'key' : 'element') : undefined;
  if (next === 'key' || next === 'first key') return token === 'text' ? 'colon' : undefined;
  if (next === 'end') return undefined;
  if (token === '{' || token === '[') {
    open.push(token);
    return token === '{' ? 'first key' : 'first element';
  }
  return token === 'text' || token === 'plain' ? done() : undefined;
}
