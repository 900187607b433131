import { describe, expect, it } from 'vitest';
import {
  addPull,
  type CommentFields,
  comment,
  permit,
  pushHead,
  stranger,
} from '../doubles/events.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import { bot, type CommentState } from '../doubles/github-routes.ts';
import type { Script } from '../doubles/model.ts';
import { begin, done, look, prove, repair, repairScript, sampleTask } from '../doubles/sample.ts';
import { playsVariants } from '../seed.ts';
import { type Played, play, playOn, type Scenario } from './scenario.ts';

const byComment = (said: CommentFields = {}, more: Partial<Scenario> = {}): Scenario => ({
  script: repairScript,
  task: '',
  event: comment(said),
  arrange: permit,
  ...more,
});

const own = (github: GitHubDouble): CommentState[] =>
  [...github.state.comments.values()].filter(c => c.user === bot);

const planned: Script = [begin, look, done];

/** Plays a run that ends with its plan, and hands on its digest. */
function withPlan(
  check: (played: Played, digest: string) => Promise<void>,
  said: CommentFields = { body: `/photon plan ${sampleTask}` },
  config: Scenario['config'] = {},
) {
  return play(byComment(said, { script: planned, config }), async played => {
    await check(
      played,
      /\/photon approve ([0-9a-f]{20})/.exec(own(played.github)[0]?.body ?? '')?.[1] ?? '',
    );
  });
}

const approve = (digest: string, more: CommentFields = {}) =>
  comment({ body: `/photon approve ${digest}`, id: 901, at: '2026-02-01T13:00:00Z', ...more });

describe('a plan', () => {
  it('is posted with its digest, without a change; approved, it is carried out on the same branch, once', async () => {
    await withPlan(async ({ github, outcome, model, exitCode }, digest) => {
      expect(outcome).toMatchObject({
        status: 'no_change',
        code: 'PLAN_POSTED',
        planDigest: digest,
      });
      expect(exitCode).toBe(0);
      expect(outcome.verification).toBeNull();
      const [comment_, ...others] = own(github);
      expect(others).toEqual([]);
      expect(comment_?.body).toContain('**A plan: ');
      expect(comment_?.body).toContain('`src/price.js`');
      expect(comment_?.body).toContain('correct the discount factor');
      expect(comment_?.body.length).toBeLessThan(65_536);
      const tools = JSON.stringify(model.requests[0]?.body.tools);
      expect(tools).toContain('"finish"');
      for (const none of ['apply_patch', 'run_command', 'verify', 'syntax_check', 'undo'])
        expect(tools).not.toContain(`"name":"${none}"`);
      expect(github.state.pulls.size).toBe(0);
      // the model need not plan again: what was approved is in place
      const activate = { ...begin, calls: begin.calls?.slice(0, 1) ?? [] };
      const script = [activate, look, repair, prove, done];
      const run = await playOn(github, { event: approve(digest), script });
      expect(run.outcome, run.outcome.message).toMatchObject({
        status: 'committed',
        task: { id: outcome.task.id },
        plan: { maxChangedLines: 5 },
      });
      expect(JSON.stringify(run.model.requests[0]?.body.messages)).toContain(
        'A person approved this plan',
      );
      expect(own(github)).toHaveLength(2);
      expect(own(github)[0]?.body).toContain(digest);
      expect(own(github)[1]?.body).toContain('Photon opened pull request');
      const again = await playOn(github, { event: approve(digest, { id: 902 }) });
      expect(again.outcome).toMatchObject({ status: 'abstained', code: 'APPROVAL_UNKNOWN' });
      expect(again.model.requests).toEqual([]);
    });
  });
});

describe('the progress comment', () => {
  it('is made at the start, follows the phases, and becomes the report', async () => {
    await play(byComment(), ({ github, outcome }) => {
      expect(outcome.status).toBe('committed');
      const bodies = github
        .writes()
        .filter(w => /\/comments(\/\d+)?$/.test(w.path) && !w.path.includes('reactions'))
        .map(w => (w.body as { body: string }).body);
      expect(bodies.length).toBeGreaterThanOrEqual(3);
      expect(bodies[0]).toContain('### Photon is working on this\n\n- [ ] Plan ← here\n- [ ] Find');
      expect(bodies.some(b => b.includes('- [x] Plan\n'))).toBe(true);
      expect(bodies.at(-1)).toContain('**Photon opened pull request #6.**');
      expect(own(github)).toHaveLength(1);
    });
  });

  it.runIf(playsVariants)('fails nothing when it can neither be made nor updated', async () => {
    const arrange = (github: GitHubDouble) => {
      permit(github);
      github.fail((m, p) => m !== 'GET' && p.includes('/comments') && !p.includes('reactions'), {
        status: 500,
        body: { message: 'no' },
        times: 99,
      });
    };
    await play(byComment({}, { arrange }), ({ outcome, log }) => {
      expect(outcome.status).toBe('committed');
      expect(log).toContain('cannot show the progress');
      expect(outcome.notes).toContainEqual(
        expect.stringContaining('The comment could not be posted'),
      );
    });
  });

  it.runIf(playsVariants)(
    'is not put back when a person deleted it, and the report is posted',
    async () => {
      let github: GitHubDouble | undefined;
      const remove = (_body: unknown, index: number) => {
        if (index === 2)
          for (const { id } of github === undefined ? [] : own(github)) {
            github?.state.comments.delete(id);
            // GitHub answers so, though its description does not say it
            const gone = { status: 404, body: { message: 'Not Found' }, times: 99 };
            github?.fail((m, path) => m === 'PATCH' && path.endsWith(`/comments/${id}`), gone);
          }
        return repairScript[index] ?? { status: 400 };
      };
      const arrange = (double: GitHubDouble) => {
        github = double;
        permit(double);
      };
      await play(byComment({}, { arrange, script: remove }), ({ outcome, github: g }) => {
        expect(outcome.status).toBe('committed');
        expect(own(g).map(c => c.body.split('\n')[0])).toEqual([
          '**Photon opened pull request #6.**',
        ]);
      });
    },
  );
});

describe('an answer to a command', () => {
  it('is one comment with what was asked for, and no run', async () => {
    await play(byComment({ body: '/photon help' }), ({ outcome, github, model, exitCode }) => {
      expect(outcome).toMatchObject({ status: 'no_change', code: 'ANSWERED' });
      expect(exitCode).toBe(0);
      expect(model.requests).toEqual([]);
      expect(own(github)[0]?.body).toContain('| `/photon approve DIGEST` |');
      expect(own(github)[0]?.body).not.toMatch(/^\/photon/m);
      expect(github.state.reactions).toHaveLength(1);
    });
  });
});

describe('other ways in', () => {
  it('a fork is run with every wall up, and nothing is written to it', async () => {
    const arrange = (github: GitHubDouble) => {
      permit(github);
      pushHead(github, { 'NOTES.md': 'work\n' });
      addPull(github.state, { fork: true, user: stranger });
    };
    const inputs = { sandbox: 'none' };
    const config = { triggers: { forks: 'suggest' } } as const;
    const said = { pull: true, number: 3 };
    await play(
      byComment(said, { arrange, config, inputs, checkout: 'feature' }),
      ({ outcome, github }) => {
        // the input asks for no sandbox: for a fork it must hold all the same
        expect(['SUGGESTED', 'SANDBOX_UNAVAILABLE']).toContain(outcome.code);
        if (outcome.code === 'SUGGESTED') {
          expect(outcome.sandbox.guarantees.every(g => g.holds)).toBe(true);
          expect(outcome.delivered).toMatchObject({ kind: 'suggestions', pullRequestNumber: 3 });
          expect(github.state.reviews).toHaveLength(1);
        }
        const heads = Object.keys(github.store.refs()).filter(r => r.startsWith('refs/heads/'));
        expect(heads).toEqual(['refs/heads/feature', 'refs/heads/main']);
        expect(github.store.git(['rev-parse', 'feature'])).toBe(outcome.base.commit);
      },
    );
  });
});
