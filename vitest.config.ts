import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { inMemory } from './test/memory-folder.ts';
import { seed } from './test/seed.ts';

/** Tests of one piece in this process, without a run: `npm run test:fast` plays these alone. */
const fast = [
  'test/evaluation/figures.test.ts',
  'test/{guard,memory,report,settings,skills,testing}/**/*.test.ts',
  // written-files starts a shell for each of its lines
  'test/tools/!(written-files).test.ts',
  'test/agent/{phases,prompts}.test.ts',
  'test/contract/**/*.test.ts',
  'test/github/find-command.test.ts',
  'test/model/**/*.test.ts',
  'test/navigation/{definitions,lookup,map,navigation,syntax}.test.ts',
  'test/process/platform.test.ts',
  'test/workspace/{compare-lines,diff,edits,search}.test.ts',
  'test/workflow/{judge-task,manifest,state,waits,workflow-file}.test.ts',
  'test/{architecture,generated}.test.ts',
];

/** Tests that depend on where a folder lies: they use the disk, as every test does under `npm run test:all`. */
const onDisk = ['test/{attacks,sandbox}/**/*.test.ts', 'test/run/{disk,kill}.test.ts'];

const long =
  /test\/(features|run\/(runners|memory|builtin)|dist|workflow\/(on-github|real-markdown)|tools\/written-files)/;

/** A worker serves one project, so projects take turns; the short tests fill the gaps at the end. */
const turns = ['whole', 'on disk', 'kjxlkj-agent', 'fast'];

/** Within a project, files that take longest begin first, so that no worker waits for one of them at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * turns.indexOf(project.name) + Number(!long.test(moduleId));
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** True for `npm test` as it stands: who names a file or a test wants to see all of it. */
const isBare = process.argv.slice(2).every(a => a === 'run' || /^--(reporter|outputFile)/.test(a));

/** `vitest --mode all` is `npm run test:all`. */
export default defineConfig(({ mode }) => {
  const scope = mode === 'all' ? 'all' : 'sample';
  // of the day that the run began on, for every worker and the reporter
  Object.assign(process.env, {
    PHOTON_TEST_SEED: String(seed),
    PHOTON_TEST_SCOPE: scope,
    PHOTON_TEST_REST:
      scope === 'sample' && isBare ? (process.env.PHOTON_TEST_REST ?? 'some') : 'none',
  });
  const common = {
    // a whole sweep takes longer than its sample
    testTimeout: scope === 'all' ? 300_000 : 60_000,
    hookTimeout: 120_000,
    setupFiles: 'test/setup.ts',
    runner: './test/resting-runner.ts',
    // modules are read once a worker: nothing is mocked, and no file leaves anything behind in one
    pool: 'forks' as const,
    isolate: false,
  };
  const env = scope === 'all' ? {} : inMemory();
  // the engine once more under the other agent profile: every rule; whole, endings and features, too
  const engine = [
    'test/run/rules.test.ts',
    ...(scope === 'all'
      ? ['test/attacks/*.test.ts', 'test/features/*.test.ts', 'test/run/{outcomes,patches}.test.ts']
      : []),
  ];
  return {
    test: {
      sequence: { sequencer: LongFirst },
      reporters: ['default', './test/reporter.ts'],
      // most tests wait for a process of theirs
      maxWorkers: availableParallelism() + 3,
      projects: [
        { test: { ...common, name: 'fast', include: fast, env } },
        {
          test: {
            ...common,
            name: 'whole',
            globalSetup: 'test/bundle-host.ts',
            include: ['test/**/*.test.ts'],
            exclude: [...fast, ...onDisk, '**/node_modules/**'],
            env,
          },
        },
        {
          test: {
            ...common,
            name: 'on disk',
            globalSetup: 'test/bundle-host.ts',
            include: onDisk,
          },
        },
        {
          test: {
            ...common,
            name: 'kjxlkj-agent',
            globalSetup: 'test/bundle-host.ts',
            include: engine,
            env: { ...env, PHOTON_TEST_PROFILE: 'kjxlkj-agent' },
          },
        },
      ],
    },
  };
});
