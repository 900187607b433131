/** Every way in which a verified patch reaches people. */
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/settings/settings.ts';
import { addPull, comment, permit, pushHead } from '../doubles/events.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import { repairScript, sampleFiles } from '../doubles/sample.ts';
import { playsVariants, sample } from '../seed.ts';
import { meanwhile, play, type Scenario } from './scenario.ts';

/** Refs that people see; what Photon remembers has refs of its own. */
const branches = ({ store }: GitHubDouble) =>
  Object.fromEntries(
    Object.entries(store.refs()).filter(([name]) => name.startsWith('refs/heads/')),
  );

const price = sampleFiles['src/price.js'] ?? '';
const withVat = `${price}\nexport const vat = 0.2;\n`;

/** A pull request of Wendy's that touches price.js, and her command on it. */
const onPull = (more: Partial<Scenario> = {}, price = withVat): Scenario => ({
  script: repairScript,
  task: '',
  checkout: 'feature',
  movesBase: true,
  event: comment({ pull: true, number: 3 }),
  arrange: github => {
    permit(github);
    pushHead(github, { 'src/price.js': price });
    addPull(github.state);
  },
  ...more,
});

describe('a commit onto the head of the pull request that asked', () => {
  it('is one signed commit, forward, with who asked as co-author', async () => {
    await play(onPull({ inputs: { delivery: 'commit' } }), ({ outcome, outputs, github }) => {
      const { store, state } = github;
      expect(outcome, outcome.message).toMatchObject({
        status: 'committed',
        delivered: {
          kind: 'commit',
          branch: 'feature',
          pullRequestNumber: 3,
          operation: 'updated',
          commitsVerified: true,
        },
      });
      expect(store.git(['rev-parse', 'feature'])).toBe(outputs.commit);
      expect(store.git(['diff', '--name-only', 'feature^', 'feature'])).toBe('src/price.js');
      const message = store.git(['log', '-1', '--format=%B', 'feature']);
      expect(message).toContain(`Photon-Tree: ${outcome.patch.tree}`);
      expect(message).toMatch(/^Co-authored-by: wendy <11\+wendy@users\.noreply\.github\.com>$/m);
      expect([...state.pulls.keys()]).toEqual([3]);
      expect(Object.keys(branches(github))).toEqual(['refs/heads/feature', 'refs/heads/main']);
    });
  });

  it.runIf(playsVariants)(
    'follows a head that moved: applied there, verified again, still forward',
    async () => {
      const moved = meanwhile(g => g.store.push('feature', { 'NOTES.md': 'more\n' }, 'More'));
      const scenario = onPull({ inputs: { delivery: 'commit' }, reapplied: true });
      const arrange: Scenario['arrange'] = github => {
        scenario.arrange?.(github);
        moved.arrange?.(github);
      };
      await play({ ...scenario, ...moved, arrange }, ({ outcome, github: { store } }) => {
        expect(outcome, outcome.message).toMatchObject({ status: 'committed' });
        expect(store.git(['log', '--format=%s', '-3', 'feature']).split('\n').slice(1)).toEqual([
          'More',
          'Work',
        ]);
        expect(outcome.base.commit).toBe(store.git(['rev-parse', 'feature^']));
      });
    },
  );
});

describe('suggestions', () => {
  it('lie on the very lines where the pull request shows them', async () => {
    const nearby = price.replace('in cents', 'in whole cents');
    const scenario = onPull({ inputs: { delivery: 'suggestions' } }, nearby);
    await play(scenario, ({ outcome, github }) => {
      const { state, store, first } = github;
      expect(outcome, outcome.message).toMatchObject({ status: 'suggested' });
      const line = '  return Math.round(total * (1 - discountPercent / 100));';
      expect(state.reviews.map(r => r.comments)).toEqual([
        [
          expect.objectContaining({
            path: 'src/price.js',
            line: 4,
            body: `\`\`\`suggestion\n${line}\n\`\`\``,
          }),
        ],
      ]);
      expect(state.reviews[0]?.commit).toBe(store.git(['rev-parse', 'feature']));
      expect(branches(github)).toEqual({
        'refs/heads/main': first,
        'refs/heads/feature': state.reviews[0]?.commit,
      });
    });
  });

  it('that cannot lie on a line are a patch in one review, which writes nothing', async () => {
    await play(onPull({ inputs: { delivery: 'suggestions' } }), ({ outcome, github }) => {
      expect(outcome, outcome.message).toMatchObject({
        status: 'suggested',
        delivered: { kind: 'suggestions', operation: 'created' },
      });
      const [review, ...more] = github.state.reviews;
      expect(more).toEqual([]);
      expect(review?.body).toContain('exit 0');
      // the edited line is not among those that the pull request shows: it is a patch in the body
      expect(review?.comments).toEqual([]);
      expect(review?.body).toContain('+  return Math.round(total * (1 - discountPercent / 100));');
      expect(branches(github)).toEqual({
        'refs/heads/feature': review?.commit,
        'refs/heads/main': github.first,
      });
    });
  });
});

describe('a patch', () => {
  it('is a file of the run and nothing on GitHub', async () => {
    const scenario = { script: repairScript, inputs: { delivery: 'patch' }, unpublished: true };
    await play(scenario, ({ outcome, github, patch }) => {
      expect(outcome).toMatchObject({ status: 'written', code: 'PATCH_WRITTEN' });
      expect(outcome.delivered).toMatchObject({ operation: 'created' });
      expect(outcome.delivered.commitsVerified).toBeUndefined();
      expect(patch).toContain('/ 100');
      expect(github.writes()).toEqual([]);
    });
  });
});

describe('a pull request', () => {
  it('gets its people and its title from the settings, and closes its issue', async () => {
    const config: Config = {
      delivery: {
        title: 'fix: {title} ({issue})',
        reviewers: ['ann'],
        teamReviewers: ['core'],
        assignees: ['bob', 'eve'],
        autoMerge: 'squash',
        dispatchWorkflow: 'ci.yml',
      },
    };
    const scenario: Scenario = {
      script: repairScript,
      task: '',
      event: comment(),
      config,
      inputs: { labels: 'bot' },
      arrange: permit,
    };
    await play(scenario, ({ outcome, outputs, github: { state, store } }) => {
      expect(outcome.notes).toEqual([]);
      const pull = state.pulls.get(6);
      expect(pull).toMatchObject({
        reviewers: ['ann'],
        teams: ['core'],
        assignees: ['bob', 'eve'],
        autoMerge: 'SQUASH',
        labels: ['bot'],
      });
      expect(pull?.title).toBe(
        'fix: orderTotal in src/price.js takes off ten times the discount (5)',
      );
      expect(pull?.body).toMatch(/^Fixes #5 · requested in #5 by `wendy`/m);
      expect(pull?.body).toContain('GITHUB_TOKEN');
      expect(state.dispatched).toEqual([{ workflow: 'ci.yml', ref: outputs.branch }]);
      expect(outcome.delivered).toMatchObject({ operation: 'created', commitsVerified: true });
      const [author] = store.git(['log', '-1', '--format=%an', outputs.commit ?? '']).split('\n');
      expect(author).toBe('github-actions[bot]');
    });
  });

  it('that lacks each of its extras is a pull request all the same, with a note for each', async () => {
    const delivery = {
      reviewers: ['ann'],
      assignees: ['bob'],
      autoMerge: 'merge',
      labels: ['x'],
      dispatchWorkflow: 'ci.yml',
    } as const;
    const arrange = (github: GitHubDouble) => {
      const denied = { status: 403, body: { message: 'Resource not accessible' }, times: 9 };
      github.fail(
        (m, p) => m === 'POST' && /labels$|requested_reviewers$|assignees$|dispatches$/.test(p),
        denied,
      );
    };
    await play(
      { script: repairScript, config: { delivery }, arrange },
      ({ outcome, summary, github }) => {
        expect(outcome.status).toBe('committed');
        expect(outcome.notes).toHaveLength(4);
        expect(summary).toContain('The reviewers could not be set');
        const [pull] = github.state.pulls.values();
        expect(pull?.body).toContain('**No checks have run here.**');
        expect(pull?.body).not.toContain('Photon starts');
      },
    );
  });
});

describe('what GitHub would refuse', () => {
  const forbidden = (github: GitHubDouble) => {
    permit(github);
    github.state.surface.pullRequestsForbidden = true;
  };
  const onIssue: Scenario = { script: repairScript, task: '', event: comment() };

  it('is found before the model is asked: Actions may not open pull requests', async () => {
    await play({ ...onIssue, arrange: forbidden }, ({ outcome, model, github }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'PULL_REQUESTS_FORBIDDEN' });
      expect(outcome.message).toMatch(
        /http:\/\/127\.0\.0\.1:\d+\/octo\/sample\/settings\/actions$/,
      );
      expect(outcome.hint).toContain('Settings › Actions › General › Workflow permissions');
      expect(model.requests).toEqual([]);
      const [answer] = github.state.comments.values();
      expect(answer?.body).toContain('PULL_REQUESTS_FORBIDDEN');
    });
  });

  it.each(
    sample(
      'missing permissions',
      [
        ['a dead token', 401, {}, 'GITHUB_AUTH'],
        [
          'a token that may not open pull requests',
          403,
          { 'x-accepted-github-permissions': 'pull_requests=write' },
          'GITHUB_PERMISSION',
        ],
      ],
      1,
    ),
  )('is found before the model is asked: %s', async (_name, status, headers, code) => {
    const arrange = (github: GitHubDouble) =>
      github.fail((m, p) => m === 'POST' && p.endsWith('/pulls'), {
        status,
        headers,
        body: { message: 'No' },
        times: 9,
      });
    await play({ script: repairScript, arrange }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code });
      expect(model.requests).toEqual([]);
    });
  });

  it('can be had as a branch with a link', async () => {
    const inputs = { delivery: 'branch' };
    await play({ ...onIssue, arrange: forbidden, inputs }, async played => {
      const { outcome, outputs, github } = played;
      expect(outcome.delivered).toMatchObject({ kind: 'branch', operation: 'created' });
      const { branch = '', commit = '' } = outputs;
      expect(Object.keys(branches(github))).toEqual(['refs/heads/main', `refs/heads/${branch}`]);
      expect(github.store.git(['rev-parse', branch])).toBe(commit);
      expect(github.store.git(['diff', '--name-only', 'main', branch])).toBe('src/price.js');
      expect(github.state.pulls.size).toBe(0);
      const link = `/octo/sample/compare/main...${branch}?expand=1`;
      const [answer, ...others] = github.state.comments.values();
      expect(others).toEqual([]);
      expect(answer?.body).toContain(link);
      expect(played.log).toContain(link);
    });
  });
});
