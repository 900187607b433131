import { describe, expect, it } from 'vitest';
import { addComment, addPull, permit, pushHead, reviewComment } from '../doubles/events.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import { bot, reviewCommentBody } from '../doubles/github-routes.ts';
import type { ThreadState } from '../doubles/routes/threads.ts';
import { begin, done, prove, repair } from '../doubles/sample.ts';
import { call, giveUp, readLines, turnOf } from '../doubles/steps.ts';
import { playsVariants, sample } from '../seed.ts';
import { play, type Scenario, toldOf } from './scenario.ts';

const at = '2026-02-01T11:00:00Z';
/** Ids of review comments need more than 31 bits. */
const commandId = 2_900_000_900;

/** Pull request 3 with a thread about lines of src/price.js; its second comment is the command. */
const inThread =
  (thread: Partial<ThreadState> = {}) =>
  (github: GitHubDouble) => {
    permit(github);
    pushHead(github, { 'NOTES.md': 'work\n' }, at);
    addPull(github.state);
    const onLine = { issue: 3, path: 'src/price.js' };
    const first = { id: 899, body: 'Ten percent is not ten times.', createdAt: at };
    addComment(github.state, { ...onLine, ...first });
    addComment(github.state, {
      ...onLine,
      id: commandId,
      body: '/photon fix this',
      inReplyTo: 899,
    });
    github.state.surface.threads.push({ id: 'T1', pull: 3, comments: [899], ...thread });
  };

const read = turnOf(
  'The comment stands at these lines, so I read them.',
  readLines('src/price.js', 1, 9),
);

const inReview = (more: Partial<Scenario> & { readonly line?: number } = {}): Scenario => ({
  script: [begin, read, repair, prove, done],
  task: '',
  event: reviewComment('/photon fix this', { id: commandId, line: more.line }),
  arrange: inThread(),
  checkout: 'feature',
  ...more,
  inputs: { delivery: 'commit', ...more.inputs },
});

const answers = (github: GitHubDouble) =>
  [...github.state.comments.values()].filter(c => c.user.login === bot.login);

describe('a command in a review thread', () => {
  it('is about the thread, is answered there, and resolves it when its lines changed', async () => {
    await play(inReview(), ({ outcome, github, model }) => {
      expect(outcome.status, outcome.message).toBe('committed');
      expect(toldOf(model)).toContain('Ten percent is not ten times.');
      expect(answers(github)).toEqual([
        expect.objectContaining({ inReplyTo: 899, body: expect.stringContaining('COMMITTED') }),
      ]);
      expect(github.state.surface.threads[0]?.resolved).toBe(true);
    });
  });

  it.each(
    sample(
      'threads that stay open',
      [
        ['another line changed', { line: 9 }, ''],
        ['the comment is about a removed line', { arrange: inThread({ side: 'LEFT' }) }, ''],
        [
          'the token may not resolve it',
          { arrange: inThread({ canResolve: false }) },
          'could not be resolved',
        ],
        ['the patch became a pull request', { inputs: { delivery: 'pull-request' } }, ''],
      ] as const,
      1,
    ),
  )('leaves the thread open when %s', async (_why, more, note) => {
    await play(inReview(more), ({ outcome, github }) => {
      expect(outcome.status, outcome.message).toBe('committed');
      expect(github.state.surface.threads[0]?.resolved).toBeUndefined();
      expect(outcome.notes.join()).toContain(note);
      expect(answers(github)[0]?.inReplyTo).toBe(899);
    });
  });

  it.runIf(playsVariants)('whose comment is gone is answered in the conversation', async () => {
    const arrange = (github: GitHubDouble) => {
      inThread()(github);
      github.state.comments.delete(commandId);
    };
    await play(inReview({ arrange }), ({ github }) => {
      expect(answers(github)).toEqual([expect.objectContaining({ issue: 3 })]);
      expect(answers(github)[0]).not.toHaveProperty('path');
    });
  });
});

it.runIf(playsVariants)(
  'a command that begins a thread is answered there, though GitHub names null as its parent',
  async () => {
    const arrange = (github: GitHubDouble) => {
      inThread()(github);
      const command = github.state.comments.get(commandId);
      if (command !== undefined) delete (command as { inReplyTo?: number }).inReplyTo;
      const [first] = [...github.state.comments.values()].filter(c => c.id === commandId);
      if (first === undefined) return;
      github.fail((_m, path) => path.endsWith(`/pulls/comments/${commandId}`), {
        status: 200,
        body: { ...reviewCommentBody(github.state, first), in_reply_to_id: null },
      });
    };
    await play(inReview({ arrange }), ({ outcome, github }) => {
      expect(outcome.status, outcome.message).toBe('committed');
      expect(answers(github)[0]?.inReplyTo).toBe(commandId);
    });
  },
);

describe('read_pull_diff', () => {
  const reading = turnOf(
    'I look at what the pull request changes.',
    call('read_pull_diff', {}),
    call('read_pull_diff', { file_path: 'big.txt', offset: 3 }),
    call('read_pull_diff', { file_path: 'src/price.js' }),
  );

  it('shows the files and pages of the diff, inside the workspace alone', async () => {
    const arrange = (github: GitHubDouble) => {
      inThread()(github);
      const files = { 'big.txt': Array.from({ length: 5_000 }, (_, i) => `row ${i}\n`).join('') };
      const sha = github.store.push('feature', files, 'Big', new Date(at));
      github.state.activities.push({ ref: 'refs/heads/feature', after: sha, timestamp: at });
    };
    const script = [begin, reading, read, repair, prove, done];
    await play(inReview({ arrange, script }), ({ outcome, model }) => {
      expect(outcome.status, outcome.message).toBe('committed');
      const told = toldOf(model);
      expect(told).toContain('added NOTES.md +1 -0\\nadded big.txt +5000 -0');
      expect(told).toMatch(/\+row 1\\n\+row 2\\n/);
      expect(told).toMatch(/\d+ more lines; offset \d+ shows them\./);
      expect(told).toContain('The pull request does not change src/price.js.');
    });
    const outside = call('read_pull_diff', { file_path: '../outside' });
    const leaving = [begin, { ...reading, calls: [outside] }];
    await play(inReview({ script: leaving }), ({ outcome }) => {
      expect(outcome.code).toBe('PATH_ESCAPE');
    });
  });

  it.runIf(playsVariants)(
    'is offered on pull requests alone, and makes no line of a file known',
    async () => {
      const blind = [begin, { ...reading, calls: reading.calls.slice(0, 1) }, repair, done];
      await play(inReview({ script: blind }), ({ outcome, model }) => {
        expect(outcome.decisions.map(d => d.code)).toEqual(['PHASE_ORDER']);
        expect(outcome.patch.files).toEqual([]);
        expect(JSON.stringify(model.requests[0]?.body)).toContain('read_pull_diff');
      });
      await play({ script: [giveUp] }, ({ model }) => {
        expect(JSON.stringify(model.requests[0]?.body)).not.toContain('read_pull_diff');
      });
    },
  );
});
