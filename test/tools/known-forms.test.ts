/** Arguments as models know them from other agents. */
import { describe, expect, it } from 'vitest';
import { readPatchForm, readShellForm, readViewForm } from '../../src/tools/known-forms.ts';

const edit = (old: string, content: string) => ({ path: 'a.js', edits: [{ old, content }] });
const lines = (...all: string[]) => all.join('\n');
const whole = (old: string, content: string) => edit(`${old}\n`, `${content}\n`);

describe('forms of a patch', () => {
  it.each([
    [
      'a diff of git',
      {
        patch: lines(
          'diff --git a/a.js b/a.js',
          'index 1..2 100644',
          '--- a/a.js',
          '+++ b/a.js',
          '@@ -1,3 +1,3 @@ f()',
          ' one',
          '-two',
          '+2',
          '',
        ),
      },
      [whole('one\ntwo', 'one\n2')],
    ],
    [
      'counts that are wrong, and blank lines without their sign',
      { diff: lines('--- a.js', '+++ a.js', '@@ -9,9 +9,9 @@', ' a', '', '-b', '+c', '', '') },
      [whole('a\n\nb', 'a\n\nc')],
    ],
    [
      'two files, in a fence',
      {
        patch: lines(
          '```diff',
          ...['--- a/a.js', '+++ b/a.js', '@@ -1 +1 @@', '-x', '+y'],
          ...['--- /dev/null', '+++ b/b.js', '@@ -0,0 +1,2 @@', '+p', '+'],
          ...['--- a/c.js', '+++ /dev/null', '@@ -1 +0,0 @@', '-z', '```'],
        ),
      },
      [whole('x', 'y'), { path: 'b.js', content: 'p\n\n' }, { path: 'c.js', delete: true }],
    ],
    [
      'hunks alone, beside their path',
      { path: 'a.js', diff: lines('@@', '-x', '+y') },
      [whole('x', 'y')],
    ],
    [
      'the envelope of codex',
      {
        input: lines(
          '*** Begin Patch',
          ...['*** Update File: a.js', '@@ def f', ' one', '-two', '+2', '*** End of File'],
          ...['*** Add File: b.js', '+new', '*** Delete File: c.js', '*** End Patch', ''],
        ),
      },
      [
        whole('one\ntwo', 'one\n2'),
        { path: 'b.js', content: 'new\n' },
        { path: 'c.js', delete: true },
      ],
    ],
    [
      'the envelope as plain text',
      lines('*** Begin Patch', '*** Update File: a.js', '-x', '+y', '*** End Patch'),
      [whole('x', 'y')],
    ],
    ['a text to replace', { path: 'a.js', old_string: 'x', new_string: 'y' }, [edit('x', 'y')]],
    ['of another agent', { file_path: 'a.js', old_str: 'x', new_str: '' }, [edit('x', '')]],
    [
      'several of a file',
      { path: 'a.js', edits: [{ old_string: 'x', new_string: 'y', replace_all: false }] },
      [edit('x', 'y')],
    ],
    [
      'in a list of files',
      { files: [{ path: 'a.js', edits: [{ old: 'x', new: 'y' }] }] },
      [edit('x', 'y')],
    ],
    [
      'a new file',
      { path: 'a.js', old_string: '', new_string: 'y' },
      [{ path: 'a.js', content: 'y' }],
    ],
    [
      'a file as text',
      { command: 'create', path: 'a.js', file_text: 'y' },
      [{ path: 'a.js', content: 'y' }],
    ],
  ])('%s', (_name, given, files) => {
    expect(readPatchForm(given)).toEqual({ files });
  });

  it.each([
    ['a hunk with a line of no kind', lines('--- a.js', '+++ a.js', '@@', ' a', 'b', '-c', '+d')],
    [
      'a moved file',
      lines('*** Begin Patch', '*** Update File: a.js', '*** Move to: b.js', '-x', '+y'),
    ],
    ['another name', lines('--- a/a.js', '+++ b/b.js', '@@ -1 +1 @@', '-x', '+y')],
    [
      'lines without a place',
      lines('*** Begin Patch', '*** Update File: a.js', '+y', '*** End Patch'),
    ],
    ['lines after a number', lines('--- a/a.js', '+++ b/a.js', '@@ -3,0 +4 @@', '+new')],
    [
      'a final newline that goes',
      lines('--- a.js', '+++ a.js', '@@ -1 +1 @@', '-x', '+y', '\\ No newline at end of file'),
    ],
    ['no file', lines('@@ -1 +1 @@', '-x', '+y')],
    ['prose', 'Replace x by y.'],
  ])('none: %s', (_name, patch) => {
    expect(readPatchForm({ patch })).toBeUndefined();
  });

  it.each([
    { files: [{ path: 'a.js', edits: [{ start_line: 1, content: 'x' }] }] },
    { path: 'a.js', content: 'x' },
    { path: 'a.js', old_string: 'x' },
    { from_command: true },
    {},
  ])('its own form stays as it is: %j', given => {
    expect(readPatchForm(given)).toBeUndefined();
  });
});

it.each([
  [
    { path: 'a', view_range: [3, 9] },
    { path: 'a', start_line: 3, end_line: 9 },
  ],
  [
    { path: 'a', view_range: [3, -1] },
    { path: 'a', start_line: 3 },
  ],
  [
    { file_path: 'a', offset: 3, limit: 2 },
    { file_path: 'a', start_line: 3, end_line: 4 },
  ],
  [{ file_path: 'a' }, undefined],
])('a view %j is %j', (given, read) => {
  expect(readViewForm(given)).toEqual(read);
});

it.each([
  [{ command: ['bash', '-lc', 'ls | wc'] }, { command: 'ls | wc' }],
  [{ command: 'ls', description: 'Lists files' }, { command: 'ls' }],
  [{ cmd: 'ls' }, { command: 'ls' }],
  [{ command: ['ls', '-l'] }, undefined],
  [{ command: 'ls' }, undefined],
])('a command %j is %j', (given, read) => {
  expect(readShellForm(given)).toEqual(read);
});
