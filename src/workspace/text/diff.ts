/** Renders changes as a unified diff that `git apply` accepts, with exact bytes and modes. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk } from 'diff';
import type { FileChange, FileState } from '../files/change.ts';
import { compareLines, groupByContext, type ReplacedLines } from './compare-lines.ts';
import { decodeText, isUtf8Text } from './text-file.ts';

/** The git object id of a blob, as SHA-1. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** All changes as one diff, sorted by path. */
export function renderDiff(changes: readonly FileChange[]): string {
  return changes
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
    .map(renderChange)
    .join('');
}

/** The number of lines that a change adds and removes; 0 for binary files. */
export function countLines(change: FileChange): {
  readonly added: number;
  readonly removed: number;
} {
  let [added, removed] = [0, 0];
  for (const each of compareSides(change)?.replaced ?? []) {
    added += each.newEnd - each.newStart;
    removed += each.oldEnd - each.oldStart;
  }
  return { added, removed };
}

/** The text of the lines that a change adds. */
export function addedText(change: FileChange): string {
  const sides = compareSides(change);
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
  const ids = [
    before ? blobId(before.bytes) : '0'.repeat(40),
    after ? blobId(after.bytes) : '0'.repeat(40),
  ];
  const hasNewMode = before?.mode !== after?.mode;
  if (!hasNewMode && ids[0] === ids[1]) return '';
  const head = formatPatch({
    ...nameSides(change.path),
    isGit: true,
    isCreate: before === undefined,
    isDelete: after === undefined,
    oldMode: hasNewMode ? before?.mode : undefined,
    newMode: hasNewMode ? after?.mode : undefined,
    hunks: [],
  });
  if (ids[0] === ids[1]) return head;
  const mode = hasNewMode ? '' : ` ${after?.mode}`;
  const body = isShown(change) ? renderText(change) : renderBinary(change);
  return `${head}index ${ids.join('..')}${mode}\n${body}`;
}

/** The names of both sides as git writes them, without what `diff` would write behind each. */
const nameSides = (path: string) => ({
  oldFileName: `a/${path}`,
  newFileName: `b/${path}`,
  oldHeader: undefined,
  newHeader: undefined,
});

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
function compareSides(change: FileChange): LineComparison | undefined {
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
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function withoutEnd(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

/** Unchanged lines that a diff shows around a change. */
const contextLines = 3;

function renderText(change: FileChange): string {
  const sides = compareSides(change);
  if (sides === undefined || sides.replaced.length === 0) return '';
  const names = nameSides(change.path);
  const text = formatPatch(
    {
      ...names,
      oldFileName: change.before ? names.oldFileName : '/dev/null',
      newFileName: change.after ? names.newFileName : '/dev/null',
      hunks: groupByContext(sides.replaced, contextLines).map(group => makeHunk(sides, group)),
    },
    FILE_HEADERS_ONLY,
  );
  // git ends a name that contains a space with a tab, which tells other programs where it ends
  const endName = (name: string) => (/^[^"].* /.test(name) ? `${name}\t` : name);
  return text.replace(
    /^--- (.*)\n\+\+\+ (.*)\n/,
    (_, old: string, now: string) => `--- ${endName(old)}\n+++ ${endName(now)}\n`,
  );
}

/** Replaced lines with those around them. The page on architecture says why `diff` does not make it. */
function makeHunk(
  { old, now }: LineComparison,
  group: readonly ReplacedLines[],
): StructuredPatchHunk {
  const rows: string[] = [];
  const add = (sign: string, lines: readonly string[]) => {
    for (const line of lines) {
      rows.push(sign + withoutEnd(line));
      if (!line.endsWith('\n')) rows.push('\\ No newline at end of file');
    }
  };
  const before = Math.min(contextLines, group[0]?.oldStart ?? 0);
  const oldStart = (group[0]?.oldStart ?? 0) - before;
  const newStart = (group[0]?.newStart ?? 0) - before;
  let oldEnd = oldStart;
  let newEnd = newStart;
  for (const each of group) {
    add(' ', old.slice(oldEnd, each.oldStart));
    add('-', old.slice(each.oldStart, each.oldEnd));
    add('+', now.slice(each.newStart, each.newEnd));
    ({ oldEnd, newEnd } = each);
  }
  const after = old.slice(oldEnd, oldEnd + contextLines);
  add(' ', after);
  return {
    oldStart: oldStart + 1,
    oldLines: oldEnd + after.length - oldStart,
    newStart: newStart + 1,
    newLines: newEnd + after.length - newStart,
    lines: rows,
  };
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
  const sides = compareSides(change);
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
