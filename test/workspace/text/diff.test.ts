import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileChange, FileState } from '../../../src/workspace/files/change.ts';
import { blobId, countLines, renderDiff } from '../../../src/workspace/text/diff.ts';
import { discard, makeFolder } from '../../harness.ts';
import { isAll } from '../../seed.ts';

const env = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

function put(root: string, path: string, state: FileState): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  if (state.mode === '120000') symlinkSync(Buffer.from(state.bytes), target);
  else {
    writeFileSync(target, state.bytes);
    chmodSync(target, state.mode === '100755' ? 0o755 : 0o644);
  }
}

function stateAt(root: string, path: string): FileState | undefined {
  const target = join(root, path);
  const stat = lstatSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return { mode: '120000', bytes: Buffer.from(readlinkSync(target)) };
  return { mode: stat.mode & 0o100 ? '100755' : '100644', bytes: readFileSync(target) };
}

/** Applies the diff with git itself. Returns the resulting states. */
function applied(changes: readonly FileChange[]): (FileState | undefined)[] {
  const root = makeFolder();
  try {
    for (const c of changes) if (c.before) put(root, c.path, c.before);
    const diff = renderDiff(changes);
    if (diff !== '')
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
        cwd: root,
        env,
        input: diff,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    return changes.map(c => stateAt(root, c.path));
  } finally {
    discard(root);
  }
}

const plain = (s: FileState | undefined) =>
  s && { mode: s.mode, bytes: Buffer.from(s.bytes).toString('latin1') };
const names = [
  'a.txt',
  'dir/b c.txt',
  'quo"te.txt',
  'tab\there.txt',
  'é/ü.txt',
  'new\nline.txt',
  'back\\slash',
  'deep/er/x',
  '-dash',
  ' lead',
];
const content = fc.oneof(
  fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '  x\n', 'é\n', '-- \n', '+++ x\n'), {
      maxLength: 15,
    })
    .chain(l => fc.constantFrom('', 'end').map(e => Buffer.from(l.join('') + e))),
  fc
    .array(fc.constantFrom('a\n', '\u00e9\n', '\u00fc\u00df\r\n', 'b'), { maxLength: 15 })
    .map(l => Buffer.from(l.join(''), 'latin1')),
  fc.uint8Array({ maxLength: 80 }).map(b => Buffer.from(b)),
);
const file = fc.record({
  mode: fc.constantFrom('100644' as const, '100755' as const),
  bytes: content,
});
const state = fc.oneof(
  { weight: 8, arbitrary: file },
  {
    weight: 1,
    arbitrary: fc.constant({ mode: '120000' as const, bytes: Buffer.from('somewhere') }),
  },
);
const changeSets = fc
  .subarray(names, { minLength: 1 })
  .chain(paths =>
    fc.tuple(
      ...paths.map(path =>
        fc.record({
          path: fc.constant(path),
          before: fc.option(state, { nil: undefined }),
          after: fc.option(state, { nil: undefined }),
        }),
      ),
    ),
  )
  .map(set => set as FileChange[]);

describe('a diff', () => {
  it('is accepted by git apply, which turns the states before into those after, for generated change sets', () => {
    fc.assert(
      fc.property(changeSets, changes => {
        expect(applied(changes).map(plain)).toEqual(changes.map(c => plain(c.after)));
      }),
      { numRuns: isAll ? 150 : 40 },
    );
  });

  it('is what git writes: names, modes, missing line feeds and hunks, but that it states a count of 1', () => {
    const text = (t: string, mode: FileState['mode'] = '100644') => ({
      mode,
      bytes: Buffer.from(t),
    });
    const lines = (changed: string) =>
      Array.from({ length: 30 }, (_, i) => `${changed.includes(`${i} `) ? 'new' : i}\n`).join('');
    const changes: FileChange[] = [
      { path: '-dash', before: text('a\nb\nc'), after: text('a\nx\nc\n') },
      { path: 'dir/b c.txt', before: text('a\n'), after: text('b\n') },
      { path: 'empty', before: undefined, after: text('') },
      { path: 'far', before: text(lines('')), after: text(lines('0 7 14 22 29 ')) },
      { path: 'gone file', before: text('y\n', '100755'), after: undefined },
      { path: 'mode', before: text('x\n'), after: text('x\n', '100755') },
      { path: 'mode and text', before: text('1\n'), after: text('2\n', '100755') },
      { path: 'quo"te\tand\\é.txt', before: undefined, after: text('x') },
    ];
    const root = makeFolder();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'core.quotePath=true', ...args], {
        cwd: root,
        env,
        encoding: 'utf8',
      });
    try {
      git('init', '-q');
      for (const c of changes) if (c.before) put(root, c.path, c.before);
      git('add', '-A');
      for (const c of changes) rmSync(join(root, c.path), { force: true });
      for (const c of changes) if (c.after) put(root, c.path, c.after);
      git('add', '-N', '--', ...changes.filter(c => c.before === undefined).map(c => c.path));
      const written = git('diff', '--full-index', '--no-renames');
      const side = (start: string, count = '1') => `${start},${count}`;
      const stated = written.replace(
        /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*$/gm,
        (_, a: string, b: string | undefined, c: string, d: string | undefined) =>
          `@@ -${side(a, b)} +${side(c, d)} @@`,
      );
      expect(renderDiff(changes)).toBe(stated);
    } finally {
      discard(root);
    }
  });

  it('counts the lines that it adds and removes', () => {
    const change = {
      path: 'a',
      before: { mode: '100644' as const, bytes: Buffer.from('a\nb\nc\n') },
      after: { mode: '100644' as const, bytes: Buffer.from('a\nX\nY\nc\n') },
    };
    expect(countLines(change)).toEqual({ added: 2, removed: 1 });
  });

  it('computes blob ids as git does', () => {
    const id = execFileSync('git', ['hash-object', '--stdin'], { input: 'hello\n', env })
      .toString()
      .trim();
    expect(blobId(Buffer.from('hello\n'))).toBe(id);
  });
});
