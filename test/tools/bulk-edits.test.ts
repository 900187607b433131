/** apply_patch over many places: literal text, counted and shown before it is written. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../../src/audit/audit.ts';
import { type EngineDouble, openEngine, type Played } from '../doubles/engine.ts';
import type { ScriptedCall } from '../doubles/model.ts';

const files = {
  'src/a.js': 'export function fee() {}\nfee();\n// other\nfee();\n',
  'src/b.js': "import { fee } from './a.js';\r\n\r\nfee();\r\n",
  'src/deep/c.js': 'const nothing = 1;\n',
  'README.md': 'Call `fee()`.\n',
  'data.bin': 'fee\0',
  '.github/workflows/ci.yml': 'on: push # fee\n',
};
const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });
const planned = ['src/a.js', 'src/b.js', 'src/deep/c.js', 'README.md', 'src/new.js'];
const planArgs = {
  entry_symbols: ['fee'],
  affected_files: planned,
  scope: 's',
  max_changed_lines: 500,
};
const opening = [
  call('skill_activate', { skill_name: 'code-modify' }),
  call('plan', planArgs),
  call('list_project_files', {}),
  call('read_code_block', { requests: [{ file_path: 'src/a.js' }] }),
];

let bench: EngineDouble;
beforeAll(async () => {
  bench = await openEngine({ files, passes: () => true });
});
afterAll(() => bench.close());

interface Applied extends Played {
  readonly texts: readonly string[];
  readonly decisions: readonly string[];
}

/** Plays these calls of apply_patch after the opening, each in a reply of its own. */
async function apply(...patches: readonly object[]): Promise<Applied> {
  const calls = [...opening, ...patches.map(p => call('apply_patch', p))];
  const played = await bench.play(calls.map(c => ({ text: 'It is needed.', calls: [c] })));
  const results = played.messages.flatMap(m => (m.role === 'tool' ? [m.text] : []));
  const audit = auditLedger(played.ledgerText, { shipped: bench.policy, complete: true });
  expect(audit.finding).toBeUndefined();
  const patched = played.entries.filter(e => e.tool === 'apply_patch');
  return {
    ...played,
    texts: results.slice(opening.length),
    decisions: patched.map(e => e.code ?? e.decision),
  };
}
const textOf = (played: Played, path: string) =>
  Buffer.from(played.changes.find(c => c.path === path)?.after?.bytes ?? []).toString();
const rename = { old: 'fee', new: 'charge' };

describe('a literal replacement', () => {
  it('shows the definition that it renames, however many files use it', async () => {
    const uses = Array.from({ length: 6 }, (_, i) => [`src/use${i}.js`, 'fee();\n'.repeat(9)]);
    const last = `${'fee();\n'.repeat(15)}\nexport function fee() {}\n`;
    const own = await openEngine({
      files: { ...Object.fromEntries(uses), 'src/z.js': last },
      passes: () => true,
    });
    try {
      const change = { replace: [{ ...rename, paths: ['src'] }] };
      const paths = [...uses.map(([path]) => path), 'src/z.js'];
      const calls = [
        call('skill_activate', { skill_name: 'code-modify' }),
        call('plan', { ...planArgs, affected_files: paths, max_changed_lines: 5000 }),
        call('list_project_files', {}),
        call('apply_patch', change),
        call('apply_patch', change),
      ];
      const played = await own.play(calls.map(c => ({ text: 'It is needed.', calls: [c] })));
      const results = played.messages.flatMap(m => (m.role === 'tool' ? [m.text] : []));
      expect(results.at(-1)).toContain('src/z.js: +16 -16');
      expect(results.at(-1)).toContain('+export function charge() {}');
    } finally {
      own.close();
    }
  });

  it('shows the places that were not shown before, and writes when it is repeated', async () => {
    const once = await apply({ replace: [rename] });
    expect(once.changes).toEqual([]);
    expect(once.decisions).toEqual(['pass']);
    expect(once.texts[0]).toBe(
      [
        'replace 1: 6 places in 3 files',
        'Nothing was changed yet. These places were not shown before; repeat the call to write.',
        'src/b.js',
        "1\t-import { fee } from './a.js';",
        "\t+import { charge } from './a.js';",
        '2\t ',
        '3\t-fee();',
        '\t+charge();',
        'README.md',
        '1\t-Call `fee()`.',
        '\t+Call `charge()`.',
      ].join('\n'),
    );
    const twice = await apply({ replace: [rename] }, { replace: [rename] });
    expect(twice.decisions).toEqual(['pass', 'pass']);
    expect(twice.texts[1]).toMatch(/^replace 1: 6 places in 3 files\n\nsrc\/a\.js: \+3 -3/);
    expect(textOf(twice, 'src/a.js')).toBe(
      'export function charge() {}\ncharge();\n// other\ncharge();\n',
    );
    expect(textOf(twice, 'src/b.js')).toBe("import { charge } from './a.js';\r\n\r\ncharge();\r\n");
    expect(twice.changes.map(c => c.path)).toEqual(['README.md', 'src/a.js', 'src/b.js']);
  });

  it('shows the places before a file of them was read', async () => {
    const replace = { replace: [rename] };
    const calls = [
      ...opening.slice(0, 3),
      call('apply_patch', replace),
      call('apply_patch', replace),
    ];
    const played = await bench.play(calls.map(c => ({ text: 'It is needed.', calls: [c] })));
    const audit = auditLedger(played.ledgerText, { shipped: bench.policy, complete: true });
    expect(audit.finding).toBeUndefined();
    const patched = played.entries.filter(e => e.tool === 'apply_patch');
    expect(patched.map(e => [e.code ?? e.decision, e.phase])).toEqual([
      ['pass', 'READ'],
      ['pass', 'PATCH'],
    ]);
    expect(played.changes.map(c => c.path)).toEqual(['README.md', 'src/a.js', 'src/b.js']);
  });

  it('writes at once where all of its lines were shown', async () => {
    const played = await apply({ replace: [{ ...rename, paths: ['src/a.js'] }] });
    expect(played.texts[0]).toMatch(/^replace 1: 3 places in 1 file\n/);
    expect(played.changes.map(c => c.path)).toEqual(['src/a.js']);
  });

  it.each([
    ['grep', { pattern: 'fee' }],
    ['find_references', { symbol: 'fee' }],
  ])('writes at once where %s showed its lines', async (name, args) => {
    const calls = [
      ...opening.slice(0, 2),
      call(name, args),
      call('apply_patch', { replace: [{ ...rename, paths: ['src/b.js'] }] }),
    ];
    const played = await bench.play(calls.map(c => ({ text: 'It is needed.', calls: [c] })));
    expect(played.entries.findLast(e => e.tool === 'apply_patch')?.decision).toBe('pass');
    expect(played.changes.map(c => c.path)).toEqual(['src/b.js']);
  });

  it('is known to the model that wrote it, though its echo was cut, and edits find its lines', async () => {
    const long = await openEngine({
      files: { 'src/l.js': Array.from({ length: 200 }, (_, i) => `fee(${i});\n`).join('') },
      passes: () => true,
    });
    try {
      const edit = { path: 'src/l.js', edits: [{ start_line: 180, content: 'charge(0);' }] };
      const calls = [
        opening[0],
        call('plan', { ...planArgs, affected_files: ['src/l.js'] }),
        call('read_code_block', { requests: [{ file_path: 'src/l.js' }] }),
        call('apply_patch', { replace: [rename] }),
        call('apply_patch', { files: [edit] }),
      ].filter(c => c !== undefined);
      const played = await long.play(calls.map(c => ({ text: 'It is needed.', calls: [c] })));
      const results = played.messages.flatMap(m => (m.role === 'tool' ? [m.text] : []));
      expect(results[3]).toContain('[cut: ');
      expect(results[4]).toContain('180\t+charge(0);');
    } finally {
      long.close();
    }
  });

  it('takes files, folders and patterns, and several texts one after another', async () => {
    const both = [
      { ...rename, paths: ['src/deep', 'src/*.js'] },
      { old: 'charge();', new: 'charge(1);\n', paths: ['src/a.js'] },
    ];
    const played = await apply({ replace: both }, { replace: both });
    expect(played.texts[1]).toMatch(
      /^replace 1: 5 places in 2 files\nreplace 2: 2 places in 1 file\n/,
    );
    expect(textOf(played, 'src/a.js')).toBe(
      'export function charge() {}\ncharge(1);\n\n// other\ncharge(1);\n\n',
    );
  });

  it('goes with edits of other files in one call, and is looked at in a dry run', async () => {
    const edit = { path: 'README.md', edits: [{ start_line: 1, content: 'Call.' }] };
    const both = { replace: [{ ...rename, paths: ['src/a.js'] }], files: [edit] };
    const read = call('read_code_block', { requests: [{ file_path: 'README.md' }] });
    const patches = [{ ...both, dry_run: true }, both].map(p => call('apply_patch', p));
    const played = await bench.play(
      [...opening, read, ...patches].map(c => ({ text: 'It is needed.', calls: [c] })),
    );
    const results = played.messages.flatMap(m => (m.role === 'tool' ? [m.text] : []));
    expect(results.at(-2)).toMatch(/^Dry run: nothing was changed\.\n[\s\S]*\+charge\(\);/);
    expect(played.changes.map(c => c.path)).toEqual(['README.md', 'src/a.js']);
  });

  it.each([
    [
      'a text that is nowhere',
      { replace: [{ ...rename, old: 'toll' }] },
      'replace 1: old occurs in none of its files',
    ],
    [
      'a path that is nowhere',
      { replace: [{ ...rename, paths: ['lib/x.js'] }] },
      'replace 1: lib/x.js: no such file',
    ],
    [
      'a file that is listed, too',
      { replace: [rename], files: [{ path: 'src/a.js', delete: true }] },
      'src/a.js: changed by more than one of files, replace and from_command; use one of them',
    ],
    ['nothing at all', {}, 'give files, replace or from_command'],
    [
      'a command that changed nothing',
      { from_command: true },
      'from_command: no command changed project files',
    ],
    [
      'a file that would no longer parse',
      { replace: [{ old: '{}', new: '{', paths: ['src/a.js'] }] },
      'src/a.js: would no longer parse',
    ],
  ])('refuses %s', async (_, patch, says) => {
    const played = await apply(patch);
    expect(played.decisions).toEqual(['ARGUMENTS_INVALID']);
    expect(played.texts[0]).toContain(says);
    expect(played.changes).toEqual([]);
  });

  it.each([
    ['outside the plan', ['src/*.js', 'data.bin', '.github/workflows/ci.yml'], 'PATH_PROTECTED'],
    ['that leads out', ['../x'], 'ARGUMENTS_INVALID'],
  ])('is judged like any patch: a file %s', async (_, paths, code) => {
    const played = await apply({ replace: [{ ...rename, paths }] });
    expect(played.decisions[0]).toBe(code);
    expect(played.changes).toEqual([]);
  });

  it('is judged by the size of the plan', async () => {
    const small = call('plan', {
      entry_symbols: ['fee'],
      affected_files: planned,
      scope: 's',
      max_changed_lines: 2,
    });
    const patch = call('apply_patch', { replace: [rename] });
    const played = await bench.play(
      [...opening, small, patch].map(c => ({ text: 'It is needed.', calls: [c] })),
    );
    expect(played.entries.findLast(e => e.tool === 'apply_patch')?.code).toBe('PLAN_SCOPE');
  });
});
