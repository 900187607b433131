/** syntax_check reads the changed files. */
import { expect, it } from 'vitest';
import { playCalls } from './play.ts';

it('syntax_check names the parser of each changed file, and says when none is changed', async () => {
  const files = { 'a.js': 'const a = 1;\n', 'notes.txt': 'x\n' };
  const { texts } = await playCalls({ files }, [
    ['syntax_check', {}],
    ['list_project_files', {}],
    ['read_code_block', { requests: [{ file_path: 'a.js' }, { file_path: 'notes.txt' }] }],
    [
      'apply_patch',
      {
        files: [
          { path: 'a.js', edits: [{ start_line: 1, content: 'const a = 2;' }] },
          { path: 'notes.txt', edits: [{ start_line: 1, content: 'y' }] },
        ],
      },
    ],
    ['syntax_check', {}],
  ]);
  expect(texts[0]).toBe('There are no changes.');
  expect(texts[4]).toMatch(/^a\.js: no errors \(.+\)$/m);
  expect(texts[4]).toMatch(/^notes\.txt: .*(no parser|not parsed)/m);
});
