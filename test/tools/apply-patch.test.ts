import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineDouble, openEngine, type Played } from '../doubles/engine.ts';
import type { ScriptedCall } from '../doubles/model.ts';

const long = Array.from({ length: 20 }, (_, i) => `// ${i + 1}\n`).join('');
const files = {
  'a.js': 'const a = 1;\nconst b = 2;\nconst c = 3;\n',
  'broken.js': 'function (\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'data.bin': 'a\0b',
  'latin.txt': { content: Buffer.from('caf\u00e9\nend\n', 'latin1') },
  'long.js': long,
  'notes.txt': 'x'.repeat(600),
  'run.sh': '#!/bin/sh\n',
};
const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });
const all = Object.keys(files);
const opening = [
  call('skill_activate', { skill_name: 'code-modify' }),
  call('plan', {
    entry_symbols: ['a'],
    affected_files: [...all, 'new.js', 'a.js/x', 'none.js', 'deep/er/new.js'],
    scope: 's',
    max_changed_lines: 500,
  }),
  call('list_project_files', {}),
  call('read_code_block', {
    requests: all.map(path => ({ file_path: path, start_line: 1, end_line: 20 })),
  }),
];

let bench: EngineDouble;
beforeAll(async () => {
  bench = await openEngine({ files, passes: () => true });
});
afterAll(() => bench.close());

/** Plays the calls after the opening; the texts of their results, or their decisions where they were refused. */
async function apply(
  ...patches: readonly object[]
): Promise<Played & { texts: readonly string[] }> {
  const calls = [
    ...opening,
    ...patches.map(p => ('name' in p ? (p as ScriptedCall) : call('apply_patch', p))),
  ];
  const played = await bench.play(calls.map(c => ({ text: 'It is needed.', calls: [c] })));
  const texts = played.messages
    .flatMap(m => (m.role === 'tool' ? [m.text] : []))
    .slice(opening.length);
  return { ...played, texts };
}
const textOf = (played: Played, path: string) =>
  Buffer.from(played.changes.find(c => c.path === path)?.after?.bytes ?? []).toString();
const one = (path: string, ...edits: object[]) => ({ files: [{ path, edits }] });

describe('apply_patch', () => {
  it('says which character a file in Latin-1 cannot hold', async () => {
    const refused = await apply(one('latin.txt', { start_line: 1, content: '5 \u20ac' }));
    expect(refused.texts[0]).toContain(
      'latin.txt: the file is Latin-1, which cannot encode \u20ac',
    );
    const written = await apply(one('latin.txt', { start_line: 1, content: '\u00e9t\u00e9' }));
    const after = written.changes.find(c => c.path === 'latin.txt')?.after?.bytes;
    expect(Buffer.from(after ?? [])).toEqual(Buffer.from('\u00e9t\u00e9\nend\n', 'latin1'));
  });

  it('shows what changed with the renumbered lines around it, which are known from then on', async () => {
    const played = await apply(one('long.js', { start_line: 10, content: '// ten\n// more' }));
    expect(played.texts[0]).toBe(
      [
        'long.js: +2 -1, now 21 lines',
        '7\t // 7',
        '8\t // 8',
        '9\t // 9',
        '\t-// 10',
        '10\t+// ten',
        '11\t+// more',
        '12\t // 11',
        '13\t // 12',
        '14\t // 13',
      ].join('\n'),
    );
    expect(textOf(played, 'long.js')).toBe(long.replace('// 10\n', '// ten\n// more\n'));
  });

  it('shows each place of several edits, in the numbers after all of them', async () => {
    const edits = [
      { start_line: 2, end_line: 3, content: '' },
      { start_line: 15, end_line: 14, content: '// in' },
    ];
    const played = await apply(one('long.js', ...edits));
    expect(played.texts[0]).toBe(
      [
        'long.js: +1 -2, now 19 lines',
        '1\t // 1',
        '\t-// 2',
        '\t-// 3',
        '2\t // 4',
        '3\t // 5',
        '4\t // 6',
        '10\t // 12',
        '11\t // 13',
        '12\t // 14',
        '13\t+// in',
        '14\t // 15',
        '15\t // 16',
        '16\t // 17',
      ].join('\n'),
    );
  });

  it('says for a whole file how long it is, and knows all of it', async () => {
    const played = await apply(
      { files: [{ path: 'new.js', content: 'const n = 1;\n' }] },
      one('new.js', { start_line: 1, content: 'const n = 2;' }),
    );
    expect(played.texts).toEqual([
      'new.js: +1 -0, now 1 line',
      'new.js: +1 -1, now 1 line\n\t-const n = 1;\n1\t+const n = 2;',
    ]);
    expect(textOf(played, 'new.js')).toBe('const n = 2;\n');
  });

  it('deletes, and several files go in one call', async () => {
    const played = await apply({
      files: [
        { path: 'a.js', delete: true },
        { path: 'crlf.txt', edits: [{ start_line: 2, content: 'zwei' }] },
      ],
    });
    expect(played.texts[0]).toBe(
      'a.js: +0 -3, deleted\n\ncrlf.txt: +1 -1, now 2 lines\n1\t one\n\t-two\n2\t+zwei',
    );
    expect(played.changes.find(c => c.path === 'a.js')?.after).toBeUndefined();
    expect(textOf(played, 'crlf.txt')).toBe('one\r\nzwei\r\n');
    expect(played.entries.find(e => e.tool === 'apply_patch')?.paths).toEqual(['a.js', 'crlf.txt']);
  });

  it('says that an edit has no effect, what a final newline is, and that a file lost it', async () => {
    const { texts } = await apply(
      one('a.js', { start_line: 1, content: 'const a = 1;' }),
      one('a.js', { start_line: 1, content: 'const a = 9;\n' }),
      { files: [{ path: 'run.sh', content: '#!/bin/bash' }] },
      one('run.sh', { start_line: 1, content: '#!/bin/sh' }),
    );
    expect(texts[0]).toBe('a.js: no effect, because it held this already');
    expect(texts[1]).toMatch(
      /^a\.js: \+1 -1, now 3 lines\n[\s\S]*\n\[the final newline of content ends its last line, and adds none\]$/,
    );
    expect(texts[2]).toMatch(/^run\.sh: \+1 -1, now 1 line, without a final newline\n/);
    expect(texts[3]).toMatch(/^run\.sh: \+1 -1, now 1 line\n/);
  });

  it('takes away and adds the last newline, and a read tells where there is none', async () => {
    const edits = [{ start_line: 2, content: 'zwei' }];
    const open = { files: [{ path: 'crlf.txt', edits, final_newline: false }] };
    const read = call('read_code_block', { requests: [{ file_path: 'crlf.txt' }] });
    const without = await apply(open, read);
    expect(textOf(without, 'crlf.txt')).toBe('one\r\nzwei');
    expect(without.texts[1]).toMatch(/2\tzwei\n\[no newline at end of file\]$/);
    const closed = { files: [{ path: 'crlf.txt', edits, final_newline: true }] };
    const played = await apply(open, closed, {
      files: [{ path: 'crlf.txt', content: 'x', final_newline: true }],
    });
    expect(textOf(played, 'crlf.txt')).toBe('one\r\nzwei\r\n');
    expect(played.texts[2]).toContain('ARGUMENTS_INVALID: final_newline goes with edits');
  });

  it('in a dry run shows the diff and changes nothing', async () => {
    const edit = { start_line: 2, content: 'const b = 9;' };
    const played = await apply(
      { ...one('a.js', edit), dry_run: true },
      { ...one('a.js', edit), dry_run: false },
    );
    expect(played.texts[0]?.split('\n')[0]).toBe('Dry run: nothing was changed.');
    expect(played.texts[0]).toContain('-const b = 2;\n+const b = 9;\n');
    expect(played.texts[1]).toMatch(/^a\.js: \+1 -1/);
    expect(
      played.entries.filter(e => e.tool === 'apply_patch').map(e => e.call?.events.length),
    ).toEqual([0, 1]);
  });

  it('counts the lines of the whole patch, the longer side of each file', async () => {
    const played = await apply(
      one('a.js', { start_line: 1, end_line: 3, content: 'const x = 1;' }),
      one('long.js', { start_line: 1, content: '// a\n// b' }),
    );
    const events = played.entries.flatMap(e =>
      e.tool === 'apply_patch' ? (e.call?.events ?? []) : [],
    );
    expect(
      events.map(e => (e.kind === 'patched' ? [e.changedLines, e.patchedFiles.join()] : [])),
    ).toEqual([
      [3, 'a.js'],
      [5, 'a.js,long.js'],
    ]);
  });

  it('counts a file that moves once, under both of its names', async () => {
    const moved = long.replace('// 3\n', '// drei\n');
    const played = await apply({
      files: [
        { path: 'long.js', delete: true },
        { path: 'new.js', content: moved },
        { path: 'a.js', edits: [{ start_line: 1, content: 'const a = 0;' }] },
      ],
    });
    expect(played.texts[0]).toContain('long.js: +0 -20, deleted\n\nnew.js: +20 -0, now 20 lines');
    const [event] = played.entries.flatMap(e =>
      e.tool === 'apply_patch' ? (e.call?.events ?? []) : [],
    );
    expect(event).toMatchObject({
      renames: [{ from: 'long.js', to: 'new.js' }],
      patchedFiles: ['a.js', 'long.js', 'new.js'],
      changedLines: 21,
    });
  });

  it('sees no move in a new file, in a deletion, and in one of each that differ', async () => {
    const made = { path: 'new.js', content: 'export const other = 1;\n' };
    const gone = { path: 'long.js', delete: true };
    for (const files of [[made], [gone], [made, gone]]) {
      const played = await apply({ files });
      const [event] = played.entries.flatMap(e =>
        e.tool === 'apply_patch' ? (e.call?.events ?? []) : [],
      );
      expect((event as { renames?: unknown }).renames).toBeUndefined();
      expect(event).toHaveProperty(
        'changedLines',
        files.length === 2 ? 21 : made === files[0] ? 1 : 20,
      );
    }
  });

  it('cuts long lines of what it shows', async () => {
    const played = await apply({
      files: [{ path: 'notes.txt', edits: [{ start_line: 1, end_line: 0, content: 'y' }] }],
    });
    expect(played.texts[0]).toContain(`2\t ${'x'.repeat(400)}`);
    expect(played.texts[0]).not.toContain('x'.repeat(401));
  });

  const bad: readonly (readonly [string, object, string])[] = [
    [
      'no form',
      { files: [{ path: 'a.js' }] },
      'a.js: give exactly one of content, edits or delete',
    ],
    [
      'two forms',
      { files: [{ path: 'a.js', content: 'x', delete: true }] },
      'a.js: give exactly one of content, edits or delete',
    ],
    [
      'delete that is false alone',
      { files: [{ path: 'a.js', delete: false }] },
      'a.js: give exactly one of content, edits or delete',
    ],
    [
      'a file twice',
      {
        files: [
          { path: 'a.js', delete: true },
          { path: './a.js', delete: true },
          { path: 'a.js', delete: true },
        ],
      },
      'a.js: listed twice; put all edits of a file into one entry.',
    ],
    ['no file', { files: [] }, 'files'],
    [
      'a file that is no text',
      { files: [{ path: 'data.bin', delete: true }] },
      'data.bin: not a text file',
    ],
    [
      'a path through a file',
      { files: [{ path: 'a.js/x', content: 'x' }] },
      'a.js/x: a.js is a file, not a folder',
    ],
    [
      'edits of nothing',
      one('none.js', { start_line: 1, content: 'x' }),
      'none.js: the file does not exist; give content to create it',
    ],
    [
      'a NUL in content',
      { files: [{ path: 'new.js', content: 'a\0b' }] },
      'content contains a NUL character; only text can be written',
    ],
    [
      'a NUL in an edit',
      one('a.js', { start_line: 1, content: 'x' }, { start_line: 2, content: 'a\0b' }),
      'a.js: content contains a NUL character',
    ],
    [
      'an end before its start',
      one('a.js', { start_line: 3, end_line: 1, content: 'x' }),
      'only start_line - 1 inserts',
    ],
    [
      'a text at several places',
      one('a.js', { old: 'const', content: 'let' }),
      'edit 1: its old is at lines 1, 2, 3; say which, as in {',
    ],
    ['nothing at all', {}, 'give files or from_command'],
    [
      'what a command wrote, where none did',
      { from_command: true },
      'from_command: no command changed project files',
    ],
    [
      'an insertion of nothing',
      one('a.js', { start_line: 1, content: 'x' }, { start_line: 3, end_line: 2, content: '' }),
      'a.js: edit 2 inserts nothing; the content of a blank line is "\\n"',
    ],
  ];
  it.each(bad)('refuses %s', async (_name, patch, says) => {
    const { texts, changes, entries } = await apply(patch);
    expect(entries.find(e => e.tool === 'apply_patch')).toMatchObject({
      decision: 'abstain',
      code: 'ARGUMENTS_INVALID',
    });
    expect(texts[0]).toContain(says);
    expect(changes).toEqual([]);
  });

  it('takes one file without a list', async () => {
    const edits = [{ start_line: 1, content: '// one' }];
    const played = await apply({ path: 'long.js', edits });
    expect(textOf(played, 'long.js')).toMatch(/^\/\/ one\n\/\/ 2\n/);
    const { texts } = await apply({ path: 'long.js', edit: edits });
    expect(texts[0]).toContain('/files/0: there is no key "edit" here; the keys are path, ');
  });

  it('inserts a blank line, and takes an empty old as none', async () => {
    const played = await apply(
      one('long.js', { start_line: 2, end_line: 1, content: '\n', old: '' }),
      one('long.js', { start_line: 3, content: '// two', old: '' }),
    );
    expect(textOf(played, 'long.js')).toMatch(/^\/\/ 1\n\n\/\/ two\n\/\/ 3\n/);
  });

  it('names every problem of every file at once', async () => {
    const { texts } = await apply({
      files: [
        { path: 'a.js', edits: [{ start_line: 9, content: 'x' }] },
        { path: 'none.js', delete: true },
      ],
    });
    expect(texts[0]).toContain(
      'a.js: edit 1 (9-9): the file has 3 lines; start_line 4 with end_line 3 appends; none.js: cannot be deleted, because it does not exist',
    );
  });

  it('refuses an edit that makes a file unreadable, showing both versions', async () => {
    const { texts } = await apply(one('long.js', { start_line: 10, content: 'function (' }));
    expect(texts[0]).toMatch(
      /long\.js: would no longer parse: line \d+: .+\nafter the edit:\n7\t\/\/ 7\n[\s\S]*10\tfunction \([\s\S]*\nbefore the edit:\n7\t\/\/ 7\n[\s\S]*10\t\/\/ 10/,
    );
  });

  it('lets a file that was unreadable before stay so, and new and unknown ones be what they are', async () => {
    const played = await apply(
      one('broken.js', { start_line: 1, content: 'function ((' }),
      { files: [{ path: 'new.js', content: 'function (' }] },
      one('crlf.txt', { start_line: 1, content: 'function (' }),
      one('run.sh', { start_line: 1, content: '#!/bin/bash' }),
    );
    expect(played.texts[1]).toContain('new.js: does not parse\nnew.js:1: Unexpected token');
    const patches = played.entries.filter(e => e.tool === 'apply_patch');
    expect(patches.map(e => e.facts?.filesWithParseErrors ?? 0)).toEqual([0, 1, 0, 0]);
    expect(played.changes.map(c => c.path)).toEqual(['broken.js', 'crlf.txt', 'new.js', 'run.sh']);
    expect(played.changes.map(c => c.after?.mode)).toEqual([
      '100644',
      '100644',
      '100644',
      '100644',
    ]);
  });

  it('claims whole files, edits and deletions as what they are', async () => {
    const played = await apply(
      one(
        'a.js',
        { start_line: 1, content: 'const z = 1;' },
        { start_line: 2, end_line: 3, content: '' },
      ),
      {
        files: [
          { path: 'new.js', content: 'a\nb\n' },
          { path: 'long.js', delete: true },
        ],
      },
    );
    const claims = played.entries.flatMap(e =>
      e.tool === 'apply_patch' ? (e.call?.claims ?? []) : [],
    );
    expect(claims).toEqual([
      {
        kind: 'write',
        path: 'a.js',
        change: 'edit',
        ranges: [
          { startLine: 1, endLine: 1 },
          { startLine: 2, endLine: 3 },
        ],
        lines: 1,
      },
      { kind: 'write', path: 'new.js', change: 'replace', ranges: [], lines: 2 },
      { kind: 'write', path: 'long.js', change: 'delete', ranges: [], lines: 0 },
    ]);
  });

  it('appends in place of the line after the last one', async () => {
    const played = await apply(one('a.js', { start_line: 4, content: 'const d = 4;' }));
    expect(textOf(played, 'a.js')).toMatch(/^const c = 3;\nconst d = 4;\n/m);
  });

  it('shows the file that it has not read, and no other of its files', async () => {
    const calls = opening.slice(0, 3);
    const read = call('read_code_block', { file_path: 'a.js', start_line: 1, end_line: 3 });
    const both = [
      { path: 'a.js', edits: [{ start_line: 1, content: 'const a = 2;' }] },
      { path: 'long.js', content: '// 1\n' },
    ];
    const script = [...calls, read, call('apply_patch', { files: both })];
    const played = await bench.play(script.map(c => ({ text: 'It is needed.', calls: [c] })));
    const { text } = played.messages.findLast(m => m.role === 'tool') ?? {};
    expect(text).toMatch(/^STALE_READ: [^\n]+: long\.js:1-20\b/);
    expect(text).toMatch(/\nlong\.js, as it is now \(20 lines\):\n1\t.*\n20\t[^\n]*$/s);
    expect(text).not.toContain('a.js, as it is now');
  });

  const partly = (end: number) => [
    ...opening.slice(0, 3),
    call('read_code_block', { requests: [{ file_path: 'long.js', start_line: 1, end_line: end }] }),
  ];
  const decisionsOf = async (calls: readonly ScriptedCall[]) => {
    const played = await bench.play(calls.map(c => ({ text: 'It is needed.', calls: [c] })));
    return played.entries.flatMap(e => (e.tool === 'apply_patch' ? [e.code ?? e.decision] : []));
  };
  const edit = (start: number, content: string, end = start) =>
    call('apply_patch', one('long.js', { start_line: start, end_line: end, content }));

  it('makes known what it shows, the three lines around the edit, and no more', async () => {
    // lines 1 to 6 were read; line 6 is edited, so that 7 to 9 are shown with it
    expect(await decisionsOf([...partly(6), edit(6, '// six'), edit(9, '// nine')])).toEqual([
      'pass',
      'pass',
    ]);
    expect(await decisionsOf([...partly(6), edit(6, '// six'), edit(10, '// ten')])).toEqual([
      'pass',
      'STALE_READ',
    ]);
    expect(await decisionsOf([...partly(6), edit(6, '// a\n// b'), edit(10, '// x')])).toEqual([
      'pass',
      'pass',
    ]);
    expect(await decisionsOf([...partly(6), edit(6, '// a\n// b'), edit(11, '// x')])).toEqual([
      'pass',
      'STALE_READ',
    ]);
  });

  it('asks for a read of the lines that change, and not of those that an edit states as they are', async () => {
    const swap = (old: string, content: string) =>
      call('apply_patch', one('long.js', { old, content }));
    const patch = (...lines: string[]) =>
      call('apply_patch', { patch: ['--- a/long.js', '+++ b/long.js', ...lines].join('\n') });
    const played = await decisionsOf([
      ...partly(3),
      swap('// 3\n// 4\n', '// three\n// 4\n'),
      swap('// 10\n', '// 10\n// new\n'),
      patch('@@ -15,3 +15,4 @@', ' // 14', ' // 15', '+// more', ' // 16'),
      patch('@@ -1,3 +1,3 @@', '-// 1', '+// one', ' // 2', '-// three', '+// 3'),
      swap('// 19\n// 20\n', '// 19\n// twenty\n'),
    ]);
    expect(played).toEqual(['pass', 'pass', 'pass', 'pass', 'STALE_READ']);
  });

  it('forgets what an undo takes back, and knows again what was known before it', async () => {
    const undo = call('undo', {});
    expect(await decisionsOf([...partly(6), edit(6, '// six'), undo, edit(6, '// 66')])).toEqual([
      'pass',
      'pass',
    ]);
    expect(await decisionsOf([...partly(6), edit(6, '// six'), undo, edit(8, '// x')])).toEqual([
      'pass',
      'STALE_READ',
    ]);
    const made = call('apply_patch', { files: [{ path: 'new.js', content: 'const n = 1;\n' }] });
    const change = call('apply_patch', one('new.js', { start_line: 1, content: 'const n = 2;' }));
    expect(await decisionsOf([...opening, made, undo, change])).toEqual([
      'pass',
      'ARGUMENTS_INVALID',
    ]);
    const gone = call('apply_patch', { files: [{ path: 'new.js', delete: true }] });
    expect(await decisionsOf([...opening, made, gone, made, change])).toEqual([
      'pass',
      'pass',
      'pass',
      'pass',
    ]);
  });

  it('is empty or not as it was told, and shows an edit at the end of the file', async () => {
    const played = await apply(
      { files: [{ path: 'new.js', content: '' }] },
      one('a.js', { start_line: 3, content: 'const c = 4;' }),
    );
    expect(played.texts).toEqual([
      'new.js: +0 -0, now 0 lines',
      'a.js: +1 -1, now 3 lines\n1\t const a = 1;\n2\t const b = 2;\n\t-const c = 3;\n3\t+const c = 4;',
    ]);
  });

  it('shows both versions up to the end of the file where the error is near it', async () => {
    const { texts } = await apply(one('a.js', { start_line: 3, content: 'function (' }));
    expect(texts[0]).toMatch(
      /after the edit:\n(\d\t.*\n)*3\tfunction \(\nbefore the edit:\n(\d\t.*\n)*3\tconst c = 3;\nNothing was changed\. /,
    );
  });
});

describe('what a language server says of a patch', () => {
  let asked: (readonly string[])[] = [];
  let found: { line: number; message: string }[][] = [];
  let server: EngineDouble;
  beforeAll(async () => {
    const errors = async (paths: readonly string[]) => {
      asked.push(paths);
      const now = found.shift();
      return new Map(now === undefined ? [] : paths.map(path => [path, now]));
    };
    server = await openEngine({ files, passes: () => true, errors });
  });
  afterAll(() => server.close());

  const patch = async () => {
    asked = [];
    const entries = [
      { path: 'a.js', edits: [{ start_line: 1, content: 'const a = 2;' }] },
      { path: 'notes.txt', delete: true },
    ];
    const calls = [...opening, call('apply_patch', { files: entries })];
    return server.play(calls.map(c => ({ text: 'It is needed.', calls: [c] })));
  };

  it('follows the changes, and its number is a fact of the call', async () => {
    const old = { line: 9, message: 'old' };
    found = [
      [old],
      [{ line: 2, message: 'b is not defined' }, { line: 3, message: 'c is not defined' }, old],
    ];
    const { messages, entries } = await patch();
    const said = messages.findLast(m => m.role === 'tool');
    expect(said?.text).toMatch(
      /deleted\n\nnew errors:\na\.js:2: b is not defined\na\.js:3: c is not defined$/,
    );
    expect(asked).toEqual([['a.js'], ['a.js']]);
    expect(JSON.stringify(entries.findLast(e => e.tool === 'apply_patch'))).toContain(
      '"newErrors":2',
    );
  });

  it.each([
    ['says nothing', [[], []]],
    ['said nothing of the file before', [undefined, [{ line: 2, message: 'b is not defined' }]]],
    ['names what it named before', Array(2).fill([{ line: 2, message: 'b is not defined' }])],
  ])('is not spoken of when it %s', async (_what, answers) => {
    found = [...answers];
    const { messages, entries } = await patch();
    expect(messages.findLast(m => m.role === 'tool')?.text).not.toContain('new errors');
    expect(JSON.stringify(entries)).not.toContain('newErrors');
  });
});
