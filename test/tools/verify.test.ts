/** verify judges the patch, and its proof holds for that patch alone. */
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/tools/verify.ts';
import type { Session } from '../../src/workspace/session/session.ts';
import { callTool, playCalls } from './play.ts';

const edit = (change: object) =>
  ['apply_patch', { files: [{ path: 'a.js', edits: [change] }] }] as const;

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

  it('makes lock files as a step of their own, which undo takes back alone', async () => {
    const files = { 'a.js': '// a\n// b\n// c\n', 'go.sum': 'old\n' };
    const remakeLocks = async (session: Session) => {
      const after = { mode: '100644', bytes: Buffer.from('new\n') } as const;
      await session.apply(new Map([['go.sum', after]]));
      return { made: ['go.sum'] };
    };
    const read = ['read_code_block', { requests: [{ file_path: 'a.js' }] }] as const;
    const { texts, changes } = await playCalls({ files, remakeLocks }, [
      read,
      edit({ start_line: 1, end_line: 0, content: '// new' }),
      read,
      ['verify', {}],
      ['undo', {}],
      edit({ start_line: 4, content: '// d' }),
    ]);
    expect(texts[4]).toMatch(/^Undone: go\.sum/);
    expect(changes.map(c => [c.path, Buffer.from(c.after?.bytes ?? []).toString()])).toEqual([
      ['a.js', '// new\n// a\n// b\n// d\n'],
    ]);
  });

  it('leaves a conflict to people if no repair lets the tool make the lock file', async () => {
    const [code, patchDigest] = ['BASE_CONFLICT', 'other'] as const;
    const verification = {
      require: 'pass',
      passed: false,
      code,
      regressions: [],
      patchDigest,
    } as const;
    const failed = { verification, code, message: 'npm error code EJSONPARSE' };
    const remakeLocks = async () => ({ made: [], failed });
    const tries = Array.from({ length: 9 }, (_, i) => [
      edit({ start_line: 1, content: `// ${i}` }),
      ['verify', {}] as const,
    ]);
    const { texts, ending } = await playCalls({ files: { 'a.js': '// a\n' }, remakeLocks }, [
      ['read_code_block', { requests: [{ file_path: 'a.js' }] }],
      ...tries.flat(),
    ]);
    expect(texts).toContain(failed.message);
    expect(ending).toBe('abstained BASE_CONFLICT');
  });

  it('says so when the settings waive it', async () => {
    const { text, events } = await callTool(verify, {}, { verify: undefined });
    expect(text).toMatch(/^The settings waive verification\./);
    expect(events).toBeUndefined();
  });
});
