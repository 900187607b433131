/** Renders changes as a unified diff that `git apply` accepts, with exact bytes and modes. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { structuredPatch } from 'diff';
import type { FileChange, FileState } from '../files/change.ts';
import { isUtf8Text, parseTextFile } from './text-file.ts';

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
  const hunks = isText(change) ? hunksOf(change) : [];
  const lines = hunks.flatMap(h => h.lines);
  return {
    added: lines.filter(l => l.startsWith('+')).length,
    removed: lines.filter(l => l.startsWith('-')).length,
  };
}

/** The text of the lines that a change adds. */
export function addedText(change: FileChange): string {
  const hunks = isText(change) ? hunksOf(change) : [];
  return hunks
    .flatMap(h => h.lines)
    .filter(l => l.startsWith('+'))
    .map(l => l.slice(1))
    .join('\n');
}

function renderChange(change: FileChange): string {
  const { before, after } = change;
  // git cannot change a link into a file in one step, so the path is removed and created again
  if (before && after && before.mode.slice(0, 3) !== after.mode.slice(0, 3)) {
    return renderChange({ ...change, after: null }) + renderChange({ ...change, before: null });
  }
  if (before === null && after === null) return '';
  const old = quote(`a/${change.path}`);
  const now = quote(`b/${change.path}`);
  const ids = [
    before ? blobId(before.bytes) : '0'.repeat(40),
    after ? blobId(after.bytes) : '0'.repeat(40),
  ];
  if (before && after && before.mode === after.mode && ids[0] === ids[1]) return '';
  const lines = [`diff --git ${old} ${now}`];
  if (before === null && after !== null) lines.push(`new file mode ${after.mode}`);
  if (before !== null && after === null) lines.push(`deleted file mode ${before.mode}`);
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

const both = ({ before, after }: FileChange, test: (bytes: Uint8Array) => boolean) =>
  [before, after].every(s => s === null || test(s.bytes));

/** True when both sides are UTF-8 text, which a diff can show. */
const isShown = (change: FileChange) => both(change, isUtf8Text);

/** True when both sides are text in any encoding. */
const isText = (change: FileChange) => both(change, bytes => parseTextFile(bytes) !== 'binary');

function hunksOf(change: FileChange) {
  const encoding = isShown(change) ? 'utf8' : 'latin1';
  const text = (s: FileState | null) => (s === null ? '' : Buffer.from(s.bytes).toString(encoding));
  const { before, after } = change;
  return structuredPatch('a', 'b', text(before), text(after), '', '', { context: 3 }).hunks;
}

function renderText(change: FileChange, old: string, now: string): string {
  const hunks = hunksOf(change);
  if (hunks.length === 0) return '';
  // git ends a name that contains a space with a tab
  const name = (n: string) => (/ /.test(n) && !n.startsWith('"') ? `${n}\t` : n);
  const parts = hunks.map(h => {
    const head = `@@ -${range(h.oldStart, h.oldLines)} +${range(h.newStart, h.newLines)} @@`;
    return [head, ...h.lines].join('\n');
  });
  return `--- ${name(old)}\n+++ ${name(now)}\n${parts.join('\n')}\n`;
}

/** The range of a hunk header; git leaves out a count of 1. */
function range(start: number, lines: number): string {
  if (lines === 1) return `${start}`;
  return `${start},${lines}`;
}

function renderBinary({ before, after }: FileChange): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
}

function literal(state: FileState | null): string {
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

const digits =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

function base85(bytes: Uint8Array): string {
  let out = '';
  for (let i = 0; i < bytes.length; i += 4) {
    let value = 0;
    for (let j = 0; j < 4; j++) value = value * 256 + (bytes[i + j] ?? 0);
    let group = '';
    for (let j = 0; j < 5; j++) {
      group = digits.charAt(value % 85) + group;
      value = Math.floor(value / 85);
    }
    out += group;
  }
  return out;
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

/** The separate line changes of a modified text; null for any other change, or when it affects the last newline. */
export function lineChanges(change: FileChange): readonly LineChange[] | null {
  const { before, after } = change;
  if (before === null || after === null || before.mode !== after.mode || !isShown(change))
    return null;
  const found: { startLine: number; removed: number; lines: string[] }[] = [];
  for (const hunk of hunksOf(change)) {
    let line = hunk.oldStart;
    let open = false;
    for (const text of hunk.lines) {
      if (text.startsWith('\\')) return null;
      if (text.startsWith(' ')) {
        open = false;
        line++;
        continue;
      }
      if (!open) found.push({ startLine: line, removed: 0, lines: [] });
      open = true;
      const last = found.at(-1);
      if (last === undefined) return null;
      if (text.startsWith('-')) {
        last.removed++;
        line++;
      } else last.lines.push(text.slice(1));
    }
  }
  return found;
}
