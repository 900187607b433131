/** patch shows the last change, or all of them. */
import { describe, expect, it } from 'vitest';
import { cutAtLine } from '../../src/tools/patch.ts';
import { playCalls } from './play.ts';

const files = { 'a.js': 'const a = 1;\nconst b = 2;\n' };
const edit = (line: number, content: string) =>
  ['apply_patch', { files: [{ path: 'a.js', edits: [{ start_line: line, content }] }] }] as const;
const opened = [
  ['list_project_files', {}],
  ['read_code_block', { requests: [{ file_path: 'a.js' }] }],
] as const;

describe('patch', () => {
  it('shows the last change alone, or all changes', async () => {
    const { texts } = await playCalls({ files }, [
      ...opened,
      ['patch', {}],
      edit(1, 'const a = 3;'),
      edit(2, 'const b = 4;'),
      ['patch', {}],
      ['patch', { all: true }],
    ]);
    expect(texts[2]).toBe('There are no changes.');
    expect(texts[5]).toContain('-const b = 2;\n+const b = 4;');
    expect(texts[5]).not.toContain('-const a = 1;');
    expect(texts[6]).toContain('-const a = 1;');
    expect(texts[6]).toContain('+const b = 4;');
  });
});

it('a long diff ends with a whole line and the bytes that are missing', () => {
  expect(cutAtLine('one\ntwo\nthree\n', 9)).toBe('one\ntwo\n[cut: 6 more bytes]');
  expect(cutAtLine('one\n', 4)).toBe('one\n');
});
