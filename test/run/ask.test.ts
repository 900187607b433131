/** `/photon ask`: an answer with places that exist, and nothing written. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comment, permit } from '../doubles/events.ts';
import { GitStore } from '../doubles/git-store.ts';
import { bot } from '../doubles/github-routes.ts';
import { startModel } from '../doubles/model.ts';
import { begin, look, repair, sampleFiles } from '../doubles/sample.ts';
import { command, planOf, say, turn } from '../doubles/steps.ts';
import { discard, fingerprint, makeFolder } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { play, toldOf } from './scenario.ts';

const answer =
  'The discount is taken off in `src/price.js:4`, see src/price.js:2-5. Not in src/price.js:90 or src/../src/price.js:1.';

const finish = (args: object) => turn('finish', { reason: 'the function was read', ...args });

const question = { event: comment({ body: '/photon ask Where is the discount?' }), task: '' };
const page = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_RUN_ID: '7' };

describe('/photon ask', () => {
  it('answers with links to the lines at the commit, and marks places that do not exist', async () => {
    // a model that obeys a request to change something cannot
    const report = turn('review_report', { report: '{"found": true}' });
    // and one whose object takes for ever to judge is told so
    const slow = turn('review_report', {
      report: JSON.stringify({ name: `${'a'.repeat(40)}!` }),
    });
    const script = [begin, look, repair, slow, report, finish({ answer })];
    const properties = { found: { type: 'boolean' }, name: { pattern: '^(a+)+$' } };
    const schema = { type: 'object', properties };
    await play(
      {
        ...{ ...question, script, arrange: permit, env: page },
        // by a word of the team, and with an object for the next step
        event: comment({ body: '@helper ask Where is the discount?' }),
        inputs: { 'trigger-words': '@helper', 'output-schema': 'shape.json' },
        files: { ...sampleFiles, 'shape.json': JSON.stringify(schema) },
      },
      ({ outcome, outputs, github, model }) => {
        expect(outcome.report).toEqual({ found: true });
        expect(toldOf(model)).toContain('/report: it could not be judged by the schema within 5 s');
        expect(outputs).toMatchObject({
          report: '{"found":true}',
          message: outcome.message,
          cost: '',
          'comment-url': expect.stringMatching(/\/issues\/\d+#issuecomment-\d+$/),
        });
        expect(outcome).toMatchObject({
          status: 'answered',
          code: 'TASK_ANSWERED',
          patch: { files: [] },
        });
        expect(outcome.decisions.map(d => d.tool)).toContain('apply_patch');
        const [own] = [...github.state.comments.values()].filter(c => c.user === bot);
        const at = `https://github.example/${github.repository}/blob/${github.store.commitOf('main')}/src/price.js`;
        expect(own?.body).toContain(`[\`src/price.js:4\`](${at}#L4)`);
        expect(own?.body).toContain(`[\`src/price.js:2-5\`](${at}#L2-L5)`);
        expect(own?.body).toContain('`src/price.js:90` (not in this commit)');
        expect(own?.body).toContain('`src/../src/price.js:1` (not in this commit)');
        const offered = JSON.stringify(model.requests[0]?.body.tools ?? '');
        expect(offered).not.toMatch(/"(apply_patch|patch|verify|undo|record_add)"/);
        expect(github.state.pulls.size).toBe(0);
      },
    );
  });

  it('is tried out by a command without a skill, on a copy that is thrown away', async () => {
    const script = [
      say(planOf(['src/price.js'])),
      say(command('echo "$((6 * 7)) of it"; seq 1 9000; printf "\\033[31mred\\033[0m\\n"')),
      turn('grep', { pattern: 'x', offset: 'many' }),
      finish({ answer }),
    ];
    await play({ ...question, script, arrange: permit }, ({ outcome, model, ledger }) => {
      expect(outcome).toMatchObject({ status: 'answered', code: 'TASK_ANSWERED' });
      expect(outcome.decisions.map(d => d.code)).toEqual(['ARGUMENTS_INVALID']);
      const told = model.requests
        .flatMap(r => r.body.messages)
        .map(m => String(m.content))
        .join('\n');
      expect(told).toMatch(/42 of it\n1\n2\n/);
      expect(told).toMatch(/\[cut: lines \d+-\d+ of 9002; /);
      expect(told).toContain('\n9000\nred\n');
      expect(told).toContain('/offset: must be a number');
      expect(ledger.filter(e => e.tool === 'verify' || e.caller === 'baseline')).toEqual([]);
    });
  });

  it('is not answered by a reason, whose refusal names the answer, and needs no test command', async () => {
    const files = { 'package.json': '{"name":"sample"}\n' };
    const script = [begin, look, finish({}), finish({ answer: 'In price.js.' })];
    await play({ ...question, script, files, arrange: permit }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'answered', answer: 'In price.js.' });
      expect(toldOf(model)).toContain('ARGUMENTS_INVALID: /answer');
    });
  });

  it('that is a task of its own is answered where no test command is found, and no patch can come of it', async () => {
    const files = { 'package.json': '{"name":"sample"}\n', 'test/price.test.js': '' };
    const script = [begin, look, repair, finish({ answer })];
    await play({ task: 'Why is the discount taken off twice?', script, files }, played => {
      expect(played.outcome).toMatchObject({ status: 'answered', code: 'TASK_ANSWERED' });
      expect(played.patch).toBe('');
      expect(played.outcome.decisions.map(d => [d.tool, d.code])).toContainEqual([
        'apply_patch',
        'TOOL_NOT_PERMITTED',
      ]);
    });
  });

  it('works at the terminal, where it may be about a kept run, which speaks for itself without a model', async () => {
    const folder = makeFolder();
    const model = await startModel([
      begin,
      look,
      finish({ answer }),
      begin,
      look,
      finish({ answer }),
    ]);
    const store = new GitStore();
    try {
      store.push('main', sampleFiles);
      const repo = join(folder, 'repo');
      store.clone(repo);
      const env = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
      const withModel = {
        ...env,
        PHOTON_API_KEY: 'k',
        PHOTON_BASE_URL: model.url,
        PHOTON_MODEL: 'double',
      };
      const ask = (args: readonly string[], vars: Record<string, string>) =>
        startPhoton({ args: ['ask', ...args, '--repo', repo], cwd: folder, env: vars });
      // all but the runs that it keeps
      const state = () =>
        readdirSync(repo)
          .filter(name => name !== '.photon')
          .map(name => fingerprint(join(repo, name)));
      const before = state();
      const first = await ask(['Where is', 'the discount now?'], withModel);
      expect(first.code).toBe(0);
      expect(first.out).toBe(
        `${answer}\n${['src/price.js:90', 'src/../src/price.js:1'].map(p => `${p} is no place of this commit: there is no such file, or it has fewer lines.\n`).join('')}`,
      );
      expect(first.err).toContain('answered (TASK_ANSWERED)');
      expect(state()).toEqual(before);
      expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('the discount now?');
      const again = await ask(['Why did the zebra end so?', '--run', 'last'], withModel);
      expect(again).toMatchObject({ code: 0, out: expect.stringContaining(answer) });
      const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
      for (const text of [
        'Why did the zebra end so?',
        'asked: Where is the discount now?',
        'answered (TASK_ANSWERED)',
      ])
        expect(sent).toContain(text);
      const alone = await ask(['Why did the zebra end so?', '--run', 'last'], env);
      expect(alone).toMatchObject({ code: 0, out: expect.stringContaining('asked: Why did the') });
      expect(alone.out).toMatch(/^ {2}\d+ model\.turn: pass$/m);
      expect(alone.err).toContain('no model is set');
      const unknown = await ask(['Why?', '--run', 'zzzz'], env);
      expect(unknown.err).toContain('[RUN_UNKNOWN]');
    } finally {
      store.close();
      await model.close();
      discard(folder);
    }
  });
});
