import { describe, expect, it } from 'vitest';
import { openVerifier } from '../../src/verify/verify.ts';
import { runOptions } from './changes.ts';

describe('a command that never ran', () => {
  it.each([
    ['mount: /x: No space left on device.\n', 'DISK'],
    ['bwrap: setting up uid map: Permission denied\n', 'SANDBOX_UNAVAILABLE'],
  ])('is no failed test: %s', async (output, code) => {
    const end = {
      began: false,
      exitCode: 125,
      signal: undefined,
      limit: undefined,
      cancelled: false,
      output,
      outputBytes: 1,
      truncated: false,
      durationMs: 1,
      refusedConnections: undefined,
    };
    const verifier = openVerifier({
      ...runOptions,
      command: 'npm test',
      setUpFiles: undefined,
      require: 'pass',
      testChanges: 'allow',
      open: async () => ({ sandbox: { run: async () => end }, view: { close: () => {} } }),
    } as unknown as Parameters<typeof openVerifier>[0]);
    await expect(verifier.verify([], 'digest')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(output.trim()),
    });
  });
});
