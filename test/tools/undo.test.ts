/** undo takes back one patch after the other. */
import { expect, it } from 'vitest';
import { playCalls } from './play.ts';

it('undo takes back the last patch, up to the start', async () => {
  const files = { 'a.js': 'const a = 1;\n' };
  const edit = (content: string) =>
    ['apply_patch', { files: [{ path: 'a.js', edits: [{ start_line: 1, content }] }] }] as const;
  const { texts, changes, patchDigest } = await playCalls({ files }, [
    ['list_project_files', {}],
    ['read_code_block', { requests: [{ file_path: 'a.js' }] }],
    edit('const a = 2;'),
    edit('const a = 3;'),
    ['undo', {}],
    ['undo', {}],
    ['undo', {}],
  ]);
  expect(texts.slice(4)).toEqual([
    'Undone: a.js (2 lines).\n\t-const a = 3;\n1\t+const a = 2;',
    'Undone: a.js (2 lines).\n\t-const a = 2;\n1\t+const a = 1;',
    'There is nothing to undo.',
  ]);
  expect(changes).toEqual([]);
  expect(patchDigest).toBe('');
});
