/** Renders changes as a unified diff that `git apply` accepts, with exact bytes and modes. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { FileChange, FileState } from '../files/change.ts';
import { compareLines, type ReplacedLines } from './compare-lines.ts';
import { decodeText, isUtf8Text } from './text-file.ts';

/** The git object id of a blob. */
export function blobId(bytes: Uint8Array, format: 'sha1' | 'sha256' = 'sha1'): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** All changes as one diff, sorted by path. */
export function renderDiff(changes: readonly FileChange[]): string {
  const sorted = [...changes].sort((a, b) =>
    Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
  );
  return sorted.map(renderChange).join('');
}

/** The number of lines that a change adds and removes; 0 for binary files. */
export function countLines(change: FileChange): {
  readonly added: number;
  readonly removed: number;
} {
  let [added, removed] = [0, 0];
  for (const each of compared(change)?.replaced ?? []) {
    added += each.newEnd - each.newStart;
    removed += each.oldEnd - each.oldStart;
  }
  return { added, removed };
}

/** The text of the lines that a change adds. */
export function addedText(change: FileChange): string {
  const sides = compared(change);
  if (sides === undefined) return '';
  return sides.replaced
    .flatMap(({ newStart, newEnd }) => sides.now.slice(newStart, newEnd))
    .map(withoutEnd)
    .join('\n');
}

function renderChange(change: FileChange): string {
  const { before, after } = change;
  // git cannot change a link into a file in one step, so the path is removed and created again
  if (before && after && before.mode.slice(0, 3) !== after.mode.slice(0, 3)) {
    return (
      renderChange({ ...change, after: undefined }) + renderChange({ ...change, before: undefined })
    );
  }
  if (before === undefined && after === undefined) return '';
  const old = quote(`a/${change.path}`);
  const now = quote(`b/${change.path}`);
  const ids = [
    before ? blobId(before.bytes) : '0'.repeat(40),
    after ? blobId(after.bytes) : '0'.repeat(40),
  ];
  if (before && after && before.mode === after.mode && ids[0] === ids[1]) return '';
  const lines = [`diff --git ${old} ${now}`];
  if (before === undefined && after !== undefined) lines.push(`new file mode ${after.mode}`);
  if (before !== undefined && after === undefined) lines.push(`deleted file mode ${before.mode}`);
  if (before && after && before.mode !== after.mode)
    lines.push(`old mode ${before.mode}`, `new mode ${after.mode}`);
  if (ids[0] === ids[1]) return `${lines.join('\n')}\n`;
  const mode = before && after && before.mode === after.mode ? ` ${after.mode}` : '';
  lines.push(`index ${ids.join('..')}${mode}`);
  const body = isShown(change)
    ? renderText(change, before ? old : '/dev/null', after ? now : '/dev/null')
    : renderBinary(change);
  return `${lines.join('\n')}\n${body}`;
}

/** True when both sides are UTF-8 text, which a diff can show. */
function isShown({ before, after }: FileChange): boolean {
  return [before, after].every(side => side === undefined || isUtf8Text(side.bytes));
}

/** Both sides as lines, each with its line feed, and what replaces what. */
interface LineComparison {
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly replaced: readonly ReplacedLines[];
}

/** Both sides of a text file compared, byte by byte if one of them is not UTF-8; undefined for a binary file. */
function compared(change: FileChange): LineComparison | undefined {
  const encoding = isShown(change) ? 'utf8' : 'latin1';
  const decodeLines = (state: FileState | undefined) => {
    const read = state === undefined ? { text: '', encoding } : decodeText(state.bytes);
    if (state === undefined || read === 'binary') return read === 'binary' ? undefined : [];
    const same = read.encoding === encoding;
    return eachLine(same ? read.text : Buffer.from(state.bytes).toString(encoding));
  };
  const [old, now] = [decodeLines(change.before), decodeLines(change.after)];
  return old === undefined || now === undefined
    ? undefined
    : { old, now, replaced: compareLines(old, now) };
}

/** The lines of a text, each with its line feed. */
function eachLine(text: string): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

function withoutEnd(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

/** Unchanged lines that a diff shows around a change. */
const contextLines = 3;

function renderText(change: FileChange, old: string, now: string): string {
  const sides = compared(change);
  if (sides === undefined || sides.replaced.length === 0) return '';
  // git ends a name that contains a space with a tab
  const name = (n: string) => (/ /.test(n) && !n.startsWith('"') ? `${n}\t` : n);
  const hunks: ReplacedLines[][] = [];
  for (const each of sides.replaced) {
    const last = hunks.at(-1)?.at(-1);
    if (last !== undefined && each.oldStart - last.oldEnd <= 2 * contextLines)
      hunks.at(-1)?.push(each);
    else hunks.push([each]);
  }
  const parts = hunks.map(hunk => renderHunk(sides, hunk));
  return `--- ${name(old)}\n+++ ${name(now)}\n${parts.join('')}`;
}

function renderHunk({ old, now }: LineComparison, hunk: readonly ReplacedLines[]): string {
  const rows: string[] = [];
  const add = (sign: string, lines: readonly string[]) => {
    for (const line of lines)
      rows.push(
        line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`,
      );
  };
  const before = Math.min(contextLines, hunk[0]?.oldStart ?? 0);
  const oldStart = (hunk[0]?.oldStart ?? 0) - before;
  const newStart = (hunk[0]?.newStart ?? 0) - before;
  let oldEnd = oldStart;
  let newEnd = newStart;
  for (const each of hunk) {
    add(' ', old.slice(oldEnd, each.oldStart));
    add('-', old.slice(each.oldStart, each.oldEnd));
    add('+', now.slice(each.newStart, each.newEnd));
    ({ oldEnd, newEnd } = each);
  }
  const after = old.slice(oldEnd, oldEnd + contextLines);
  add(' ', after);
  const head = [
    `-${range(oldStart, oldEnd + after.length)}`,
    `+${range(newStart, newEnd + after.length)}`,
  ];
  return `@@ ${head.join(' ')} @@\n${rows.join('')}`;
}

/** The lines of one side in a hunk header: git leaves out a count of 1, and names the line before an empty range. */
function range(start: number, end: number): string {
  const count = end - start;
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

function renderBinary({ before, after }: FileChange): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
}

function literal(state: FileState | undefined): string {
  const bytes = state?.bytes ?? new Uint8Array();
  const packed = deflateSync(bytes);
  const rows: string[] = [`literal ${bytes.length}`];
  for (let i = 0; i < packed.length; i += 52) {
    const part = packed.subarray(i, i + 52);
    const length =
      part.length <= 26
        ? String.fromCharCode(64 + part.length)
        : String.fromCharCode(96 + part.length - 26);
    rows.push(length + base85(part));
  }
  return `${rows.join('\n')}\n`;
}

const digits = Buffer.from(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~',
);

/** Five digits for each four bytes; the last ones count as filled with zeros. */
function base85(bytes: Buffer): string {
  const groups = Math.ceil(bytes.length / 4);
  const whole = Buffer.concat([bytes], groups * 4);
  const out = Buffer.alloc(groups * 5);
  for (let group = 0; group < groups; group++) {
    let value = whole.readUInt32BE(group * 4);
    for (let digit = 4; digit >= 0; digit--) {
      out[group * 5 + digit] = digits[value % 85] ?? 0;
      value = Math.floor(value / 85);
    }
  }
  return out.toString('latin1');
}

const escapes: Readonly<Record<number, string>> = {
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  34: '"',
  92: '\\',
};

/** Quotes a name as git does: in C style when it contains bytes outside printable ASCII. */
function quote(name: string): string {
  if (!/[^\x20-\x7e]|["\\]/.test(name)) return name;
  const bytes = [...Buffer.from(name, 'utf8')].map(b => {
    const short = escapes[b];
    if (short !== undefined) return `\\${short}`;
    return b < 32 || b > 126 ? `\\${b.toString(8).padStart(3, '0')}` : String.fromCharCode(b);
  });
  return `"${bytes.join('')}"`;
}

/** Consecutive old lines replaced by new lines; either side can be empty. */
export interface LineChange {
  /** 1-based; when nothing is removed, the new lines go before this line. */
  readonly startLine: number;
  readonly removed: number;
  readonly lines: readonly string[];
}

/** The separate line changes of a modified text; undefined for any other change, or when it affects the last newline. */
export function lineChanges(change: FileChange): readonly LineChange[] | undefined {
  const { before, after } = change;
  if (before === undefined || after === undefined || before.mode !== after.mode || !isShown(change))
    return undefined;
  const sides = compared(change);
  if (sides === undefined) return undefined;
  const { old, now, replaced } = sides;
  const touched = replaced.flatMap(r => [
    ...old.slice(r.oldStart, r.oldEnd),
    ...now.slice(r.newStart, r.newEnd),
  ]);
  if (touched.some(line => !line.endsWith('\n'))) return undefined;
  return replaced.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    startLine: oldStart + 1,
    removed: oldEnd - oldStart,
    lines: now.slice(newStart, newEnd).map(withoutEnd),
  }));
}
