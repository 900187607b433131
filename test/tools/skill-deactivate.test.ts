/** skill_deactivate withdraws a skill and its tools. */
import { expect, it } from 'vitest';
import { playCalls } from './play.ts';

it('skill_deactivate withdraws a skill once, and its tools with it', async () => {
  const { texts, operations } = await playCalls({ files: { 'a.js': 'const a = 1;\n' } }, [
    ['list_project_files', {}],
    ['read_code_block', { requests: [{ file_path: 'a.js' }] }],
    ['skill_deactivate', { skill_name: 'code-modify' }],
    ['skill_deactivate', { skill_name: 'code-modify' }],
    [
      'apply_patch',
      { files: [{ path: 'a.js', edits: [{ start_line: 1, content: 'const a = 2;' }] }] },
    ],
  ]);
  expect(JSON.parse(texts[2] ?? '')).toMatchObject({ success: true });
  expect(JSON.parse(texts[3] ?? '')).toMatchObject({ success: false });
  expect(operations[4]).toMatchObject({ decision: 'abstain', code: 'TOOL_NOT_PERMITTED' });
});
