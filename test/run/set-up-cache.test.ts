/** The results of set-ups between whole runs: who saves, what is used again, and what a command or a fork cannot do. */
import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { type ActionOptions, discard, makeFolder, runActionIn } from '../harness.ts';
import { plantedAt } from '../planted.ts';

const folder = makeFolder();
const workspace = join(folder, 'checkout');
const cache = join(folder, 'kept');
let github: GitHubDouble;

beforeAll(async () => {
  github = await startGitHub({ seed: { ...sampleFiles, 'docs/a.md': 'a\n', 'old.txt': 'old\n' } });
  github.clone(workspace, 'main');
});
afterAll(async () => {
  await github.close();
  discard(folder);
});

const left = plantedAt('/tmp', 'left');

/** It hides a file and the content of a folder, and tries to write where results are kept. */
const setUp = [
  'mkdir node_modules',
  'node -e "console.log(process.hrtime.bigint())" > node_modules/stamp',
  'rm -r docs old.txt',
  'mkdir docs',
  'ln -s ../node_modules docs/link',
  `echo home > ~/left && echo tmp > ${left}`,
  `(mkdir -p ${cache} && touch ${cache}/evil ${cache}/${'0'.repeat(64)}-${'0'.repeat(64)}.tar)`,
].join(' && ');
const shows = `echo "[$(cat docs/link/stamp ~/left ${left} | tr "\\n" " ")$(ls docs old.txt 2>/dev/null)]"`;

/** A run at the same paths as the others, as its key demands. */
async function run(options: Pick<ActionOptions, 'event' | 'ref'> = {}) {
  const model = await startModel(repairScript);
  const temp = join(folder, 'temp');
  mkdirSync(temp, { recursive: true });
  try {
    const inputs = {
      task: sampleTask,
      'dry-run': 'true',
      'setup-command': setUp,
      'setup-cache': cache,
      'test-command': `${shows} && grep -q '/ 100)' src/price.js`,
    };
    const done = await runActionIn(temp, {
      ...options,
      github,
      modelUrl: model.url,
      workspace,
      inputs,
      // the same one in every process, as the key holds it
      env: { PATH: process.env.PATH ?? '' },
    });
    const { sandbox, verification } = done.outcome;
    expect(verification?.passed, done.log).toBe(true);
    // with the patch, a set-up that is more than an installation runs again
    const seen = verification?.baseline?.outputTail.trim();
    expect(seen).toMatch(/^\[\d+n home tmp docs:\nlink\]$/);
    return { use: sandbox.setUpCache, log: done.log, seen };
  } finally {
    await model.close();
  }
}

const kept = () => readdirSync(cache).filter(name => name !== '.photon-setup-cache');
const fromFork = () => {
  const head = { sha: github.store.commitOf('main'), ref: 'patch', repo: { fork: true } };
  return {
    event: {
      name: 'pull_request',
      payload: { action: 'opened', pull_request: { number: 1, head } },
    },
    ref: 'refs/pull/1/merge',
  };
};

it('a fork saves nothing, and the default branch saves for all', async () => {
  const fork = await run(fromFork());
  expect(fork.use).toEqual({
    result: 'miss',
    saved: false,
    reason: 'a run for the event pull_request keeps nothing',
  });
  expect(kept()).toEqual([]);

  const own = await run();
  expect(own.use).toEqual({ result: 'miss', saved: true });
  const [entry = '', ...more] = kept();
  expect(entry).toMatch(/^[0-9a-f]{64}-[0-9a-f]{64}\.tar$/);
  expect(more, 'no command reaches the folder').toEqual([]);
  expect(own.seen).not.toBe(fork.seen);

  const again = await run(fromFork());
  expect(again.use).toEqual({ result: 'hit', saved: false });
  expect(again.log).toContain(`${entry} of an earlier run takes the place of`);
  expect(again.seen).toBe(own.seen);

  appendFileSync(join(cache, entry), 'x');
  const altered = await run();
  expect(altered.log).toContain(`${entry} does not have the content that its name states`);
  expect(altered.use).toEqual({ result: 'miss', saved: true });
  expect(altered.seen).not.toBe(own.seen);
  expect(kept()).toHaveLength(1);
});
