import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comment, permit } from '../doubles/events.ts';
import { startGitHub } from '../doubles/github.ts';
import { bot } from '../doubles/github-routes.ts';
import {
  begin,
  done,
  look,
  prove,
  repair,
  repairScript,
  rightLine,
  sampleFiles,
  testedByNode,
} from '../doubles/sample.ts';
import { replaceLine, say, turn } from '../doubles/steps.ts';
import { discard, makeFolder, runAction } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';
import { opening, play } from './scenario.ts';

describe('every way to end', () => {
  it('committed: a pull request whose tree is the base plus exactly the patch', async () => {
    await play({ script: repairScript }, ({ outcome, github, outputs, patch, ledger }) => {
      expect(outcome.status).toBe('committed');
      const [pull] = github.state.pulls.values();
      expect(pull).toMatchObject({ base: 'main', head: outputs.branch, draft: false });
      const { store, first } = github;
      expect(store.git(['rev-parse', `${outputs.commit}^`])).toBe(first);
      expect(store.git(['diff', '--name-status', first, outputs.commit ?? ''])).toBe(
        'M\tsrc/price.js',
      );
      expect(store.git(['diff', '--full-index', first, outputs.commit ?? '']).trimEnd()).toBe(
        patch.trimEnd(),
      );
      expect(store.git(['rev-parse', `${outputs.commit}^{tree}`])).toBe(outcome.patch.tree);
      // what the pull request shows is the seal of the delivery, which the whole ledger holds
      const delivery = ledger.find(e => e.tool === 'deliver');
      expect(pull?.body).toContain(`head ${delivery?.hash}`);
      expect(pull?.body).not.toContain('divided by 10'); // the model's prose stays inside
    });
  });

  it('rolled_back: a patch that does not verify is kept in the run folder only', async () => {
    const wrong = say(replaceLine('src/price.js', 4, rightLine.replace('100', '20')));
    await play({ script: [...opening, wrong, prove, done] }, ({ outcome, github, patch }) => {
      expect(outcome).toMatchObject({
        status: 'rolled_back',
        code: 'VERIFY_FAILED',
        phase: 'ROLLBACK',
      });
      expect(outcome.verification?.after?.exitCode).toBe(1);
      expect(patch).toContain('/ 20');
      expect(github.writes()).toEqual([]);
    });
  });

  it('abstained: with the reason, without a patch, and with a neutral result', async () => {
    await play(
      {
        script: [turn('abstain', { reason: 'No skill books flights.' })],
        task: 'Book a flight at a good price.',
      },
      ({ outcome, exitCode, summary }) => {
        expect(outcome).toMatchObject({
          status: 'abstained',
          code: 'ABSTAINED',
          statement: expect.stringMatching(
            /^No skill books flights\.\nNo skill was used\. Available: ci-repair, code-modify, /,
          ),
        });
        expect(exitCode).toBe(0);
        expect(summary).toContain('No skill books flights.');
      },
    );
  });

  it('no_change: a finish without a patch while the tests pass', async () => {
    const fixed = {
      ...testedByNode,
      'src/price.js':
        'export const orderTotal = () => 1800;\nexport const shipsFree = () => true;\n',
    };
    await play(
      { script: [begin, { ...look, calls: look.calls?.slice(0, 1) ?? [] }, done], files: fixed },
      ({ outcome }) => {
        expect(outcome).toMatchObject({ status: 'no_change', code: 'PATCH_EMPTY' });
      },
    );
  });

  describe('answered: a task that asks to look and advise', () => {
    const answer =
      '## Suggestions\n\n1. `orderTotal` divides by 10, see https://evil.example\n2. @octocat';
    const finish = turn('finish', { reason: 'everything was looked at here', answer });
    const ask = 'Look at src/price.js and suggest what to improve.';

    it('ends with the answer as comment, summary and output, and tests nothing', async () => {
      const script = [begin, look, finish];
      await play(
        { script, task: '', event: comment({ body: `/photon fix ${ask}` }), arrange: permit },
        ({ outcome, outputs, summary, github, exitCode }) => {
          // the tests of the sample fail, which an answer does not depend on
          expect(outcome).toMatchObject({ status: 'answered', code: 'TASK_ANSWERED', answer });
          expect(outcome).toMatchObject({
            phase: 'COMMIT',
            verification: null,
            patch: { files: [] },
          });
          expect(exitCode).toBe(0);
          expect(outputs.answer).toBe(answer);
          const own = [...github.state.comments.values()].filter(c => c.user === bot);
          expect(own).toHaveLength(1);
          for (const text of [summary, own[0]?.body ?? '']) {
            expect(text).toContain('**Suggestions**');
            expect(text).toContain('1. `orderTotal` divides by 10, see `https://evil.example`');
            // in code, nobody is pinged and nothing is linked
            expect(text).not.toMatch(/(?<!`https:\/\/)evil|(?<!`)@octocat/);
          }
          expect(own[0]?.body).toContain('**Answered: The task was answered without a change.**');
          expect(github.state.pulls.size).toBe(0);
        },
      );
    });
  });

  it('a preview, for a staged run: everything but the delivery', async () => {
    await play(
      { script: repairScript, inputs: { staged: 'true' }, unpublished: true },
      ({ outcome, github, patch }) => {
        expect(outcome).toMatchObject({
          status: 'previewed',
          code: 'STAGED',
          delivered: { kind: 'none' },
        });
        expect(github.writes()).toEqual([]);
        expect(patch).toContain('/ 100');
      },
    );
  });

  it('unverified by explicit setting: the first line of the pull request says so', async () => {
    await play(
      { script: [...opening, repair, done], inputs: { verify: 'none' } },
      ({ outcome, github }) => {
        expect(outcome.status).toBe('committed');
        const [pull] = github.state.pulls.values();
        expect(pull?.body.split('\n')[0]).toContain('Nothing was verified');
        expect(pull?.body).not.toMatch(/^None\.$/m);
        expect(outcome.message).toBe('The unverified patch was delivered.');
        expect(github.store.git(['log', '-1', '--format=%B', pull?.head ?? ''])).toContain(
          'Not verified.',
        );
      },
    );
  });

  it('failed: no test command can be found', async () => {
    await play(
      { script: repairScript, files: { 'package.json': '{}\n', 'test/price.test.js': '' } },
      ({ outcome, model }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'VERIFY_COMMAND_MISSING' });
        expect(model.requests).toEqual([]);
      },
    );
  });

  it('failed: the working folder is not there', async () => {
    const inputs = { 'working-directory': 'packages/nosuch' };
    await play({ script: repairScript, inputs }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
      expect(outcome.message).toContain('there is no folder packages/nosuch');
    });
  });
});

describe('what stops a run from outside', () => {
  it.each(sample('signals', ['SIGINT', 'SIGTERM'], 1))(
    '%s ends it in failed, written down and unpublished',
    async signal => {
      await play(
        {
          script: () => ({ stall: true }),
          started: child =>
            child.stdout?.on(
              'data',
              chunk => String(chunk).includes('Round 1') && child.kill(signal),
            ),
        },
        ({ outcome }) => expect(outcome).toMatchObject({ status: 'failed', code: 'CANCELLED' }),
      );
    },
  );
});

describe('a machine that cannot be written to', () => {
  it('ends as failed with its code, although no outcome can be written', async () => {
    const github = await startGitHub({ seed: sampleFiles });
    const folder = makeFolder();
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const run = await runAction({
      github,
      workspace,
      modelUrl: 'http://127.0.0.1:1/v1',
      env: { RUNNER_TEMP: '/etc/hostname/nowhere' },
    });
    await github.close();
    discard(folder);
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ status: 'failed', code: 'DISK' });
    expect(run.log).toContain(
      '::error title=Photon%3A DISK::The folder of the run in /etc/hostname/nowhere cannot be written: a file is in the place of a folder.',
    );
  });
});

describe('budgets stop a run before the request that would pass them', () => {
  it.runIf(playsVariants)('tokens', async () => {
    const thirsty = repairScript.map(t => ({
      ...t,
      usage: { prompt_tokens: 4000, completion_tokens: 50 },
    }));
    await play({ script: thirsty, inputs: { 'max-tokens': '11000' } }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'BUDGET_TOKENS' });
      expect(model.requests.length).toBeLessThan(4);
      expect(outcome.usage.inputTokens + outcome.usage.outputTokens).toBeLessThanOrEqual(11000);
    });
  });

  it('money, by the price list of the configuration', async () => {
    const config = JSON.stringify({ model: { prices: { double: { input: 100, output: 100 } } } });
    await play(
      {
        script: repairScript,
        files: { '.photon/config.json': config },
        inputs: { 'max-cost': '0.35' },
      },
      ({ outcome, model }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'BUDGET_COST' });
        expect(model.requests.length).toBeLessThan(5);
        expect(outcome.usage.cost).toBeLessThanOrEqual(0.35);
      },
    );
  });

  it('an unknown price is an error before the first request', async () => {
    await play({ script: repairScript, inputs: { 'max-cost': '1' } }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'PRICE_UNKNOWN' });
      expect(model.requests).toEqual([]);
    });
  });
});
