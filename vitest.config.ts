import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests of one piece in this process, without a run: `npm run test:fast` plays these alone. */
const fast = [
  'test/{ecosystems,guard,memory,report,settings,skills,testing}/**/*.test.ts',
  // the others start runners
  'test/verify/**/!(watch-canary|cheats|verify).test.ts',
  // the others start runners, too
  'test/repair/runners/{agree,coverage,obstacles,open-runner,read-cases,runner-context}.test.ts',
  // shell-line and grep start a program for each of their lines
  'test/tools/!(shell-line|grep).test.ts',
  'test/agent/{context,limits}/**/*.test.ts',
  'test/run/{engines,kinds,services}/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/hosts/github/parse/{find-command,verbs}.test.ts',
  'test/model/**/*.test.ts',
  'test/navigation/{definitions,listing,lookup,map,places,symbols}.test.ts',
  'test/navigation/syntax/**/*.test.ts',
  'test/{delivery-settings,mcp/tool-list}.test.ts',
  'test/process/{environment,otlp,programs,system}.test.ts',
  'test/workspace/text/**/*.test.ts',
  'test/workspace/session/session.test.ts',
  'test/workflows/{commit-text,local,manifest,state,waits,workflow-file}.test.ts',
  'test/{architecture,generated,named-words}.test.ts',
];

/** The whole runs that `npm test` plays beside them, about sixty, each kind once: all others are for `npm run test:all`. */
const short = [
  // each ending
  'test/run/outcomes.test.ts',
  // each way of delivery
  'test/run/deliveries.test.ts',
  // each trigger, as a user has it, and each job that starts nothing
  'test/run/action-defaults.test.ts',
  // what the guard refuses, through the model
  'test/run/rules.test.ts',
  // each wall, by each launcher, and a machine without one
  'test/sandbox/sandbox.test.ts',
  'test/sandbox/egress/egress.test.ts',
  'test/run/sandbox-modes.test.ts',
  // the command line
  'test/cli/{command-line,command,exit-status,help,local-run,progress}.test.ts',
  // what is written
  'test/{docs,examples,planted}.test.ts',
];

/**
 * `--mode short` is `npm test`, `--mode rest` all other files, and `--mode complete` is `npm run test:all -- --complete`; otherwise
 * every file is played.
 */
export default defineConfig(({ mode }) => {
  const isShort = mode === 'short';
  const isRest = mode === 'rest';
  const isComplete = mode === 'complete';
  const isNamed = process.argv.some(a => a === '-t' || a.startsWith('--testNamePattern'));
  const played = isShort ? 'few' : isComplete || isNamed ? 'all' : 'variants';
  const env = {
    PHOTON_TEST_LIST: mode,
    PHOTON_TEST_SCOPE: isComplete ? 'all' : 'some',
    // who names a test wants it played, in the sample or not
    PHOTON_TEST_ROWS: process.env.PHOTON_TEST_ROWS ?? played,
    PHOTON_TEST_WRITES: process.argv.some(a => a === '-u' || a === '--update') ? '1' : '',
    // the same tests every time; at night others each time
    PHOTON_TEST_SEED: process.env.PHOTON_TEST_SEED ?? String(isComplete ? randomInt(2 ** 32) : 1),
  };
  // the reporter reads them, too
  Object.assign(process.env, env);
  const common = {
    // no test fails by time: a limit only ends one that hangs
    testTimeout: 600_000,
    hookTimeout: 600_000,
    setupFiles: 'test/setup.ts',
    // modules are read once a worker: nothing is mocked, and no file leaves anything behind in one
    pool: 'forks' as const,
    isolate: false,
    env,
  };
  // what starts no run needs no build
  const built = { globalSetup: 'test/build.ts' };
  const exclude = [...fast, ...(isRest ? short : []), '**/node_modules/**'];
  const whole = { ...common, ...built, name: 'whole', exclude };
  // the engine once more under the other agent profile: every rule; complete, endings and features, too
  const engine = [
    'test/run/rules.test.ts',
    ...(isComplete
      ? ['test/attacks/*.test.ts', 'test/features/*.test.ts', 'test/run/{outcomes,patches}.test.ts']
      : []),
  ];
  const otherProfile = {
    ...{ ...common, ...built, name: 'kjxlkj-agent', include: engine },
    env: { ...env, PHOTON_TEST_PROFILE: 'kjxlkj-agent' },
  };
  return {
    test: {
      reporters: ['default', './test/reporter.ts'],
      globalSetup: 'test/planted.ts',
      // most tests wait for a process of theirs
      maxWorkers: availableParallelism() + 3,
      projects: [
        ...(isRest ? [] : [{ test: { ...common, name: 'fast', include: fast } }]),
        { test: { ...whole, include: isShort ? short : ['test/**/*.test.ts'] } },
        ...(isShort ? [] : [{ test: otherProfile }]),
      ],
    },
  };
});
