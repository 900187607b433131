import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const common = { testTimeout: 60_000, hookTimeout: 120_000 };

/**
 * The engine itself once more under the other agent profile: every rule from outside; with
 * PHOTON_TEST_PROFILES=1 endings, patches and features, too, which take four minutes more.
 */
const engine = [
  'test/run/rules.test.ts',
  ...(process.env.PHOTON_TEST_PROFILES === '1'
    ? ['test/features/*.test.ts', 'test/run/{outcomes,patches}.test.ts']
    : []),
];

const long =
  /test\/(features|navigation\/servers|run\/(runners|memory|builtin)|dist|workflow\/on-github)/;

/** Files that take longest begin first, so that no worker waits for one of them at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter(f => !isLong(f))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
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
