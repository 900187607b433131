import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests of one piece in this process, without a run: `npm run test:fast` plays these alone. */
const fast = [
  'test/{ecosystems,guard,memory,report,settings,skills,testing,verify}/**/*.test.ts',
  'test/repair/runners/**/*.test.ts',
  // shell-line starts a shell for each of its lines
  'test/tools/!(shell-line).test.ts',
  'test/agent/{context,limits}/**/*.test.ts',
  'test/run/{engines,kinds,services}/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/hosts/github/parse/{find-command,verbs}.test.ts',
  'test/model/**/*.test.ts',
  'test/navigation/{definitions,listing,lookup,map,places,symbols}.test.ts',
  'test/navigation/syntax/**/*.test.ts',
  'test/{delivery-settings,mcp/tool-list}.test.ts',
  'test/process/{environment,otlp,platform-windows,programs,this-platform}.test.ts',
  'test/workspace/text/**/*.test.ts',
  'test/workspace/session/session.test.ts',
  'test/workflows/{commit-text,local,manifest,state,waits,workflow-file}.test.ts',
  'test/{architecture,generated}.test.ts',
];

/** `vitest --mode all` is `npm run test:all`. */
export default defineConfig(({ mode }) => {
  const isAll = mode === 'all';
  const isNamed = process.argv.some(a => a === '-t' || a.startsWith('--testNamePattern'));
  const env = {
    PHOTON_TEST_SCOPE: isAll ? 'all' : 'some',
    // who names a test wants it played, in the sample or not
    PHOTON_TEST_ROWS: process.env.PHOTON_TEST_ROWS ?? (isAll || isNamed ? 'all' : 'some'),
    PHOTON_TEST_WRITES: process.argv.some(a => a === '-u' || a === '--update') ? '1' : '',
    // the same tests every time; at night others each time
    PHOTON_TEST_SEED: process.env.PHOTON_TEST_SEED ?? String(isAll ? randomInt(2 ** 32) : 1),
  };
  const common = {
    // a whole sweep takes longer than its sample; a busy machine needs twice as long as an idle one, or more
    testTimeout: isAll ? 300_000 : 120_000,
    hookTimeout: 120_000,
    setupFiles: 'test/setup.ts',
    // modules are read once a worker: nothing is mocked, and no file leaves anything behind in one
    pool: 'forks' as const,
    isolate: false,
    env,
  };
  // what starts no run needs no build
  const built = { globalSetup: 'test/build.ts' };
  // the engine once more under the other agent profile: every rule; whole, endings and features, too
  const engine = [
    'test/run/rules.test.ts',
    ...(isAll
      ? ['test/attacks/*.test.ts', 'test/features/*.test.ts', 'test/run/{outcomes,patches}.test.ts']
      : []),
  ];
  const whole = ['test/**/*.test.ts'];
  const otherProfile = { ...env, PHOTON_TEST_PROFILE: 'kjxlkj-agent' };
  return {
    test: {
      reporters: ['default', './test/reporter.ts'],
      globalSetup: 'test/planted.ts',
      // most tests wait for a process of theirs
      maxWorkers: availableParallelism() + 3,
      projects: [
        { test: { ...common, name: 'fast', include: fast } },
        {
          test: {
            ...common,
            ...built,
            name: 'whole',
            include: whole,
            exclude: [...fast, '**/node_modules/**'],
          },
        },
        { test: { ...common, ...built, name: 'kjxlkj-agent', include: engine, env: otherProfile } },
      ],
    },
  };
});
