import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  addPull,
  type CommentFields,
  comment,
  permit,
  pushHead,
  stranger,
} from '../doubles/events.ts';
import { begin, done, repairScript } from '../doubles/sample.ts';
import { call, turnOf } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { play, playOn, type Scenario } from './scenario.ts';

const byComment = (said: CommentFields = {}, more: Partial<Scenario> = {}): Scenario => ({
  script: repairScript,
  task: '',
  event: comment(said),
  arrange: permit,
  ...more,
});

describe('a command on an issue', () => {
  it('whose workflow is run again keeps the same patch and updates its comment; given once more, it gets a comment of its own', async () => {
    await play(byComment(), async ({ github, outputs }) => {
      const next = await playOn(github, { event: comment() });
      expect(next.outcome).toMatchObject({
        status: 'committed',
        delivered: { operation: 'none' },
      });
      expect(next.outputs.commit).toBe(outputs.commit);
      expect(next.outputs.branch).toBe(outputs.branch);
      expect([...github.state.pulls.keys()]).toHaveLength(1);
      expect([...github.state.comments.keys()]).toHaveLength(1);
      expect(github.store.refs()[`refs/heads/${outputs.branch}`]).toBe(next.outputs.commit);
      const [before] = [...github.state.comments.values()].map(c => c.body);
      await playOn(github, { event: comment({ id: 901, at: '2026-02-01T13:00:00Z' }) });
      const bodies = [...github.state.comments.values()].map(c => c.body);
      expect(bodies).toEqual([
        before,
        expect.stringMatching(/\*\*Pull request #6 already holds the verified patch\.\*\*/),
      ]);
    });
  });

  it.runIf(playsVariants)(
    'without words is titled by its issue, and says what was wrong in the words of the finish',
    async () => {
      const summary =
        'The discount was divided by 10. See [this](https://evil.example) and @octocat; Fixes #9.';
      const finish = { ...done, calls: [call('finish', { reason: 'x', summary })] };
      const script = [...repairScript.slice(0, -1), finish];
      await play(byComment({ body: '/photon fix' }, { script }), ({ github, outcome, outputs }) => {
        expect(outcome.summary).toBe(summary);
        const [pull] = github.state.pulls.values();
        expect(pull?.title).toBe('Discount');
        expect(pull?.body).toContain('The discount was divided by 10.');
        for (const body of [pull?.body, [...github.state.comments.values()][0]?.body])
          expect(body).not.toMatch(/evil\.example|(?<!`)@octocat|Fixes #9/);
        expect(github.store.git(['log', '-1', '--format=%s', outputs.commit ?? ''])).toBe(
          'Discount',
        );
      });
    },
  );

  it('hides text of people without write access from the model, unless a setting shows it', async () => {
    await play(byComment({ issueBy: stranger }), ({ model }) => {
      expect(JSON.stringify(model.requests[0]?.body)).not.toContain('ten times too much');
    });
    await play(
      byComment({ issueBy: stranger }, { config: { untrustedText: 'show' } }),
      ({ model }) => {
        expect(JSON.stringify(model.requests[0]?.body)).toContain('ten times too much');
      },
    );
  });
});

describe('settings that cannot be read', () => {
  const broken = { files: { '.photon/config.json': '{"limits": 1}' } };

  it('are told to the person who gave a command, and to nobody without write access', async () => {
    await play(byComment({}, broken), async ({ github, outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'CONFIG_INVALID' });
      expect(model.requests).toEqual([]);
      const bodies = () => [...github.state.comments.values()].map(c => c.body);
      expect(bodies()).toEqual([
        expect.stringMatching(
          /^\*\*Failed: \.photon\/config\.json: \/limits: [\s\S]*CONFIG_INVALID/,
        ),
      ]);
      const other = await playOn(github, { event: comment({ by: stranger, id: 901 }) });
      expect(other.outcome).toMatchObject({ status: 'no_change', code: 'NOT_AUTHORISED' });
      expect(bodies()).toHaveLength(1);
    });
  });

  it('are told where failures are reported', async () => {
    const inputs = { 'report-to': '5', 'max-cost': 'much' };
    await play({ script: [], arrange: permit, inputs }, ({ github, outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
      const [said] = github.state.comments.values();
      expect(said?.body).toContain('max-cost');
    });
  });
});

describe('a credential that a step left in the checkout', () => {
  it('is told, and no command sees it', async () => {
    const secret = 'AUTHORIZATION: basic c2VjcmV0LW9mLWNoZWNrb3V0';
    const look = turnOf(
      'I look for git configuration.',
      call('run_command', {
        command: 'cat .git/config .git/../.git/config; git config --list; echo looked',
      }),
    );
    const cloned = (workspace: string) =>
      appendFileSync(
        `${workspace}/.git/config`,
        `[http "https://github.com/"]\n\textraheader = ${secret}\n`,
      );
    await play({ script: [begin, look, done], cloned }, ({ outcome, model }) => {
      expect(outcome.notes).toEqual([expect.stringContaining('persist-credentials: false')]);
      const told = JSON.stringify(model.requests.at(-1)?.body.messages);
      expect(told).toContain('looked');
      expect(told).not.toContain(secret);
    });
  });
});

describe('a command on a pull request', () => {
  const pullScenario = (checkout: string, state: 'open' | 'closed'): Scenario => ({
    ...byComment({ pull: true, number: 3 }),
    checkout,
    arrange: github => {
      permit(github);
      pushHead(github, { 'NOTES.md': 'work\n', '.photon/config.json': '{"broken' });
      addPull(github.state, { state });
    },
  });

  it('abstains on a closed one', async () => {
    await play(pullScenario('feature', 'closed'), ({ outcome }) =>
      expect(outcome).toMatchObject({ status: 'abstained', code: 'PULL_REQUEST_CLOSED' }),
    );
  });
});

it('a schedule without maintenance tasks says what to configure', async () => {
  const event = { name: 'schedule', payload: { schedule: '0 3 * * *' } };
  await play({ script: repairScript, task: '', event }, ({ outcome }) =>
    expect(outcome).toMatchObject({ status: 'no_change', code: 'NO_MAINTENANCE' }),
  );
});

describe('a command with --model', () => {
  const config = { model: { choices: ['another'], prices: { double: { input: 1, output: 1 } } } };
  const fixWith = (model: string) =>
    byComment({ body: `/photon fix --model ${model} Fix it.` }, { config });

  it('asks a model that the configuration lists', async () => {
    await play(fixWith('another'), ({ outcome, model }) => {
      expect(outcome).toMatchObject({
        status: 'committed',
        model: 'another',
        task: { text: 'Fix it.' },
      });
      expect(new Set(model.requests.map(r => r.body.model))).toEqual(new Set(['another']));
    });
  });

  it.each(['secret-model', ''])(
    'is refused for the name "%s", before a model is asked',
    async name => {
      await play(fixWith(name), ({ outcome, model, github }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'MODEL_NOT_ALLOWED' });
        expect(model.requests).toEqual([]);
        expect([...github.state.comments.values()][0]?.body).toContain('model.choices');
      });
    },
  );

  it('needs a price where the cost is limited', async () => {
    await play({ ...fixWith('another'), inputs: { 'max-cost': '1' } }, ({ outcome, github }) => {
      expect(outcome).toMatchObject({ code: 'PRICE_UNKNOWN' });
      expect([...github.state.comments.values()][0]?.body).toContain('PRICE_UNKNOWN');
    });
  });
});
