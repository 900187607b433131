/** verify judges the patch, and its proof holds for that patch alone. */
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/tools/verify.ts';
import { callTool, playCalls } from './play.ts';

describe('verify', () => {
  it('proves the patch that it ran on', async () => {
    const files = { 'a.js': 'const a = 1;\n' };
    const { proven, patchDigest, operations } = await playCalls({ files }, [
      ['list_project_files', {}],
      ['read_code_block', { requests: [{ file_path: 'a.js' }] }],
      [
        'apply_patch',
        { files: [{ path: 'a.js', edits: [{ start_line: 1, content: 'const a = 2;' }] }] },
      ],
      ['verify', {}],
    ]);
    expect(proven).toEqual([patchDigest]);
    expect(operations.at(-1)).toMatchObject({ tool: 'verify', decision: 'pass', paths: ['a.js'] });
  });

  it('says so when the settings waive it', async () => {
    const { text, events } = await callTool(verify, {}, { verify: undefined });
    expect(text).toMatch(/^The settings waive verification\./);
    expect(events).toBeUndefined();
  });
});
