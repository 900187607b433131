/** The time of a run: a limit that passed while the process was busy, and work that a run does not need. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { GitStore } from '../doubles/git-store.ts';
import { startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { call, turnOf } from '../doubles/steps.ts';
import { discard, fingerprint, makeFolder, root, runAction } from '../harness.ts';
import { playsVariants } from '../seed.ts';
import { play } from './scenario.ts';

describe('a time limit that passes while the process is busy', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(() => discard(folder));

  /** A run of the command line whose clock jumps over its limit when it prints a line. */
  async function runWithSlowStep(args: readonly string[], slow: string) {
    const repo = join(folder, 'repo');
    const store = new GitStore();
    store.push('main', sampleFiles);
    store.clone(repo);
    store.close();
    mkdirSync(join(folder, 'tmp'));
    const before = fingerprint(repo);
    const model = await startModel(repairScript);
    let late = 0;
    let told = '';
    try {
      const task = ['--repo', repo, '--task', sampleTask, '--out', join(folder, 'out')];
      const code = await runCommandLine(['run', ...task, ...args], {
        env: {
          PATH: process.env.PATH ?? '',
          HOME: folder,
          TMPDIR: join(folder, 'tmp'),
          PHOTON_API_KEY: 'key-of-the-test',
          PHOTON_BASE_URL: model.url,
          PHOTON_MODEL: 'double',
        },
        root,
        signal: new AbortController().signal,
        now: () => Date.now() + late,
        isShown: false,
        columns: undefined,
        live: undefined,
        colours: { out: false, error: false },
        print: () => {},
        printData: () => {},
        tell: text => {
          told += text;
          // no timer can fire here: only a look at the clock shows how late it is
          if (text.includes(slow)) late = 24 * 3_600_000;
        },
      });
      return { code, told, unchanged: fingerprint(repo) === before };
    } finally {
      await model.close();
    }
  }

  it('ends the run before its delivery', async () => {
    const run = await runWithSlowStep(['--apply'], 'finish: pass');
    expect(run.told).toContain('failed (BUDGET_TIME)');
    expect(run).toMatchObject({ code: 1, unchanged: true });
  });

  it('ends the process if it stays busy, with an outcome and outputs', async () => {
    const [github, model] = [
      await startGitHub({ seed: sampleFiles }),
      await startModel(repairScript),
    ];
    try {
      const [workspace, busy] = [join(folder, 'repo'), join(folder, 'busy.mjs')];
      github.clone(workspace, 'main');
      // whatever keeps the thread: here, a line of the log
      const code = `const { stdout } = process;
        const write = stdout.write.bind(stdout);
        stdout.write = (text, ...rest) => {
          while (String(text).startsWith('Sandbox: '));
          return write(text, ...rest);
        };`;
      writeFileSync(busy, code);
      const inputs = { task: sampleTask, 'timeout-minutes': '0.2' };
      const env = { NODE_OPTIONS: `--import=${busy}` };
      const ending = { status: 'failed', code: 'BUDGET_TIME' };
      const run = await runAction({ github, modelUrl: model.url, workspace, inputs, env });
      expect(run.exitCode).toBeUndefined();
      expect(run.outcome).toMatchObject(ending);
      expect(run.outcome.ledger.head).toBe(run.ledger.at(-1)?.hash);
      expect(run.outputs).toMatchObject(ending);
      expect(run.log).toContain('::error title=Photon%3A BUDGET_TIME::The time of the run was up');
      expect(run.summary).toContain('failed (`BUDGET_TIME`)');
      expect(model.requests).toEqual([]);
    } finally {
      await Promise.all([github.close(), model.close()]);
    }
  });
});

it.each([true, false])(
  'a run whose tests fail first (%s) leaves no timer that keeps the job',
  async fails => {
    const hook = `import { appendFileSync } from 'node:fs';
    process.on('exit', () => appendFileSync(process.env.LEFT, process.getActiveResourcesInfo().join() + '.'));`;
    const folder = makeFolder();
    const left = join(folder, 'left');
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
    const task = fails ? sampleTask : 'Take the discount off in percent, in src/price.js.';
    try {
      await play({ script: repairScript, task, env: { NODE_OPTIONS, LEFT: left } }, ({ outcome }) =>
        expect(outcome.code).toBe('COMMITTED'),
      );
      expect(readFileSync(left, 'utf8')).toMatch(/^(?!.*Timeout).*\.$/);
    } finally {
      discard(folder);
    }
  },
);

it.runIf(playsVariants)(
  'a model that never sends a byte: the ending advises to look at the endpoint, not at the task',
  async () => {
    await play(
      { script: [{ stall: true }], inputs: { 'timeout-minutes': '0.1' } },
      ({ outcome }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'BUDGET_TIME' });
        expect(outcome.hint).toMatch(/^No reply came before the limit\. Check base-url/);
      },
    );
  },
);

describe('a run that abstains', () => {
  const abstain = turnOf(
    'Nothing here is to be changed. I end the run.',
    call('abstain', { reason: 'nothing to change' }),
  );
  const outcome = { status: 'abstained', code: 'ABSTAINED' };

  it('before its plan copies nothing and runs no test', async () => {
    await play({ task: 'Rename orderTotal to totalOf.', script: [abstain] }, run => {
      expect(run.outcome).toMatchObject(outcome);
      expect(run.log).not.toContain('(no patch)');
      expect(run.session?.commands).toEqual([]);
    });
  });
});
