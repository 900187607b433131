/** `/photon review`: findings that code proves, on the lines of the diff, each posted once. */
import { describe, expect, it } from 'vitest';
import { comment, pushHead, writer } from '../doubles/events.ts';
import type { GitFile } from '../doubles/git-store.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import type { Script, ScriptedTurn } from '../doubles/model.ts';
import { always, finding, finish, fixed, onPull, record } from '../doubles/review-pull.ts';
import { begin, repair, testedByNode } from '../doubles/sample.ts';
import { call, turnOf } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { type Played, play, playOn, type Scenario } from './scenario.ts';

/** The payload of a push to the pull request. */
const pushedTo = (github: GitHubDouble) => ({
  action: 'synchronize',
  sender: writer,
  pull_request: {
    number: 3,
    title: 'Work',
    body: '',
    user: writer,
    updated_at: '2026-02-01T11:30:00Z',
    head: { ref: 'feature', sha: github.store.commitOf('feature') },
    base: { ref: 'main' },
  },
});

/** A further review on the same GitHub. */
function again(github: GitHubDouble, script: Script, id: number): Promise<Played> {
  const said = { body: '/photon review', id, at: `2026-02-0${id - 899}T13:00:00Z` };
  const event = comment({ pull: true, number: 3, ...said });
  return playOn(github, { script, event, checkout: 'feature' });
}

describe('/photon review', () => {
  it('posts proven findings once, drops the rest, and resolves what was fixed', async () => {
    const opinion = finding({ start_line: 8, test: undefined, problem: 'I dislike this name.' });
    const onBase = finding({ start_line: 8, ...always });
    const elsewhere = finding({ start_line: 200 });
    // a model that obeys a diff that asks for approval, and for changes
    const script = [begin, record(finding(), opinion, onBase, elsewhere), repair, finish];
    await play(onPull(script), async ({ outcome, github, outputs, model }) => {
      expect(outcome, outcome.message).toMatchObject({
        status: 'answered',
        code: 'REVIEWED',
        patch: { files: [] },
        delivered: { kind: 'review', operation: 'created', pullRequestNumber: 3 },
        review: { leftOut: { opinions: 1, offDiff: 1, beyondLimit: 0 } },
      });
      expect(outcome.review?.findings.map(f => f.proof?.kind)).toEqual(['test']);
      expect(JSON.parse(outputs.review ?? '')).toEqual(outcome.review);
      const told = JSON.stringify(model.requests[0]?.body.messages);
      expect(told).toContain('total < 0');
      const [review] = github.state.reviews;
      expect(review?.comments).toEqual([
        expect.objectContaining({ path: 'src/price.js', line: 9 }),
      ]);
      const text = review?.comments[0]?.body ?? '';
      expect(text).toContain('**High:** A negative total ships for free.');
      expect(text).toContain('this test fails here, and it passes on the base');
      expect(text).not.toMatch(/(?<!`)@octocat/); // in code, nobody is pinged
      const posts = github.writes().filter(w => /\/reviews$/.test(w.path));
      expect(posts.map(w => (w.body as { event?: string }).event)).toEqual(['COMMENT']);
      expect(JSON.stringify([...github.state.comments.values()])).not.toContain('LGTM');
      expect(JSON.stringify(github.state.reviews)).not.toContain('LGTM');

      const { findings: threads } = github.state.surface;
      const same = await again(
        github,
        [begin, record(finding({ problem: 'Other words.' })), finish],
        901,
      );
      expect(same.outcome.delivered).toMatchObject({ kind: 'review', operation: 'updated' });
      expect(threads).toHaveLength(1);
      expect(github.state.reviews).toHaveLength(1);

      // a model that is silent about it resolves nothing
      await again(github, [begin, finish], 902);
      expect(threads.map(t => t.isResolved)).toEqual([false]);

      pushHead(github, { 'src/price.js': fixed, 'NOTES.md': 'new\n' }, '2026-02-04T11:00:00Z');
      await again(github, [begin, finish], 904);
      expect(threads.map(t => t.isResolved)).toEqual([true]);
      expect(github.state.reviews).toHaveLength(1);
      expect(github.state.reviews[0]?.body).toContain('0 findings');
    });
  });

  it.runIf(playsVariants)(
    'finds a type error that the diff brings, though the model is silent',
    async () => {
      const tsc = [
        '#!/bin/sh',
        "grep -n 'total < 0' src/price.js | sed 's/\\([0-9]*\\):.*/src\\/price.js(\\1,3): error TS2365: Bad comparison./'",
        "echo 'README.md(1,1): error TS1: An error of the base.'",
        'exit 2',
        '',
      ].join('\n');
      const files = {
        'package.json': (testedByNode['package.json'] ?? '').replace(
          '"type"',
          '"devDependencies": { "typescript": "6.0.0" }, "type"',
        ),
        'tsconfig.json': '{}\n',
        'src/price.js': fixed,
        'node_modules/.bin/tsc': { mode: '100755', content: tsc } as GitFile,
      };
      await play(onPull([begin, finish], { files }), async ({ outcome, github }) => {
        expect(outcome.review?.findings).toMatchObject([
          { path: 'src/price.js', start: 9, problem: 'TS2365: Bad comparison.' },
        ]);
        expect(github.state.surface.findings.map(t => t.line)).toEqual([9]);
        expect(github.state.surface.findings[0]?.body).toContain(
          'reports this here, and not on the base',
        );
      });
    },
  );

  const shape = {
    type: 'object',
    properties: {
      risk: { enum: ['low', 'high'] },
      areas: { type: 'array', items: { type: 'string' } },
    },
    required: ['risk'],
    additionalProperties: false,
  };
  const report = (value: object): ScriptedTurn =>
    turnOf(
      'The workflow wants an object of its own, so I give it before the end.',
      call('review_report', { report: JSON.stringify(value) }),
    );
  const withSchema = (script: Script, schema: unknown = shape) =>
    onPull(script, {
      files: { ...testedByNode, 'src/price.js': fixed, 'review.json': JSON.stringify(schema) },
      config: { review: { schema: 'review.json' } },
    });

  it('reports an object of the shape that the workflow asks for, and refuses another', async () => {
    const right = { risk: 'high', areas: ['shipping'] };
    const script = [begin, report({ risk: 'much', more: 1 }), report(right), finish];
    await play(withSchema(script), ({ outcome, outputs, model }) => {
      expect(outcome, outcome.message).toMatchObject({ status: 'answered', code: 'REVIEWED' });
      expect(outcome.review?.report).toEqual(right);
      expect(JSON.parse(outputs.report ?? '')).toEqual(right);
      expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('review_report once');
      const told = JSON.stringify(model.requests.at(-1)?.body.messages);
      expect(told).toContain('ARGUMENTS_INVALID');
      expect(told).toContain('/report/risk');
    });
  });

  it.runIf(playsVariants)(
    'fails without that object, and before a request if the schema cannot be used',
    async () => {
      await play(withSchema([begin, finish]), ({ outcome }) =>
        expect(outcome).toMatchObject({ status: 'failed', code: 'REVIEW_REPORT_MISSING' }),
      );
      await play(withSchema([begin, finish], { type: 'array' }), ({ outcome, model }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'REVIEW_SCHEMA' });
        expect(outcome.message).toContain('review.json');
        expect(model.requests).toEqual([]);
      });
    },
  );

  it.runIf(playsVariants)('finds a changed line that no test notices', async () => {
    const config = { verify: { budgetSeconds: 60 } };
    await play(onPull([begin, finish], { config }), ({ outcome, github }) => {
      expect(outcome.review?.findings.map(f => f.proof?.kind)).toEqual(['mutant']);
      expect(github.state.surface.findings[0]?.body).toContain('every test still passes');
    });
  });

  it('needs a pull request, and none of a fork', async () => {
    const issue = comment({ body: '/photon review' });
    await play(onPull([begin], { event: issue }), ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'abstained', code: 'REVIEW_NO_PULL_REQUEST' });
      expect(model.requests).toEqual([]);
    });
    const scenario = onPull([begin], {
      inputs: { mode: 'review' },
      config: { triggers: { forks: 'suggest' } },
    });
    const event = { name: 'pull_request_target', payload: {} };
    const arrange: Scenario['arrange'] = github => {
      scenario.arrange?.(github);
      const pull = github.state.pulls.get(3) ?? expect.fail();
      github.state.pulls.set(3, { ...pull, fork: true });
      Object.assign(event.payload, pushedTo(github));
    };
    await play({ ...scenario, arrange, event }, ({ outcome, model, github }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'FORK_PULL_REQUEST' });
      expect(model.requests).toEqual([]);
      expect(github.state.reviews).toEqual([]);
    });
  });
});
