import { defineConfig } from 'vitest/config';

/** The tests that mutants of guard, phases and patch application meet: fast ones, in this process. */
export default defineConfig({
  test: {
    include: [
      'test/guard/**/*.test.ts',
      'test/agent/limits/phases.test.ts',
      'test/audit/**/*.test.ts',
      'test/workspace/text/{edits,text-file}.test.ts',
      'test/tools/**/*.test.ts',
    ],
    setupFiles: 'test/setup.ts',
    testTimeout: 600_000,
  },
});
