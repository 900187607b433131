import { defineConfig } from 'vitest/config';

const common = { testTimeout: 60_000, hookTimeout: 120_000 };

/** The engine itself: rules, phases, endings and patches, once under each agent profile. */
const engine = ['test/features/*.test.ts', 'test/run/{rules,outcomes,patches}.test.ts'];

export default defineConfig({
  test: {
    // most tests wait for a process of theirs: two at once even on two cores
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'photon', include: ['test/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'kjxlkj-agent',
          include: engine,
          env: { PHOTON_TEST_PROFILE: 'kjxlkj-agent' },
        },
      },
    ],
  },
});
