import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readQueues } from '../../src/memory/queue.ts';
import { type MemoryRecord, readRecords } from '../../src/memory/record.ts';
import type { Config } from '../../src/settings/settings.ts';
import { withConfig, writeConfig } from '../doubles/config.ts';
import { comment, permit, stranger, writer } from '../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import type { Person, PullState } from '../doubles/github-routes.ts';
import type { ScriptedTurn } from '../doubles/model.ts';
import {
  begin,
  done,
  look,
  prove,
  repair,
  repairScript,
  sampleFiles,
  sampleTask,
  sampleTest,
} from '../doubles/sample.ts';
import { activate, call, planOf, readLines, say, turn } from '../doubles/steps.ts';
import { playsVariants, sample } from '../seed.ts';
import { type Played, playOn } from './scenario.ts';

let github: GitHubDouble;

beforeEach(async () => {
  github = await startGitHub({ seed: withConfig(sampleFiles) });
  permit(github);
});
afterEach(() => github.close());

/** The memory settings of the trusted branch. */
function configure(memory: NonNullable<Config['memory']>): void {
  github.store.push('main', { '.photon/config.json': writeConfig({ memory }) });
}

/** One run of the Action on a fresh clone. */
const run = (script: readonly ScriptedTurn[], more: Parameters<typeof playOn>[1] = {}) =>
  playOn(github, { script, ...more });

const rounding = {
  keywords: ['money, rounding'],
  value: 'Totals are whole cents; round once, at the end.',
};
const noted = [begin, look, repair, turn('record_add', rounding), prove, done];
const plain = repairScript;

function filesOf(): ReadonlyMap<string, string> {
  const text = github.store.tryGit(['show', 'refs/photon/memory:index.json']);
  return new Map(
    Object.entries(JSON.parse(text ?? '{"files":{}}').files as Record<string, string>),
  );
}

const records = (): readonly MemoryRecord[] => [
  ...readRecords(filesOf(), 'octo/sample').records.values(),
];
const waiting = () => readQueues(filesOf());
const note = () => records().find(r => r.kind === 'note');
const pattern = () => records().find(r => r.kind === 'pattern');
const pull = (): PullState => [...github.state.pulls.values()].at(-1) as PullState;

/** The event of a pull request that was closed, as far as Photon reads it. */
function closed(merged: boolean, of = pull()) {
  Object.assign(of, { state: 'closed', merged });
  const { number, title, body } = of;
  const thread = { number, title, body, user: { login: 'x', id: 1, type: 'Bot' }, merged };
  return {
    name: 'pull_request',
    payload: {
      action: 'closed',
      sender: writer,
      pull_request: { ...thread, merged_by: merged ? writer : null },
    },
  };
}

const noModel = { inputs: { 'api-key': '', model: '' } };
const told = (played: Played, request = 0) =>
  JSON.stringify(played.model.requests[request]?.body.messages);
const answersOf = (played: Played) =>
  (played.model.requests.at(-1)?.body.messages ?? []).flatMap(m =>
    m.role === 'tool' ? [String(m.content)] : [],
  );

/** The pull request of a run is merged, on GitHub's side alone. */
function merge(of = pull()): void {
  const sha = github.store.refs()[`refs/heads/${of.head}`] ?? '';
  github.store.git(['update-ref', 'refs/heads/main', sha]);
  Object.assign(of, { state: 'closed', merged: true });
}

describe('reviewed records', () => {
  beforeEach(() => configure({ records: true }));

  it('wait in the pull request, are kept when it is merged, and advise the next run', async () => {
    const first = await run(noted);
    expect(first.outcome).toMatchObject({ status: 'committed', notes: [] });
    expect(first.outcome.records?.changes.map(c => c.operation)).toEqual(['add', 'confirm']);
    expect(records()).toEqual([]);
    expect(waiting()).toMatchObject([
      { run: first.outcome.runId, pull: pull().number, branch: pull().head },
    ]);
    expect(pull().body).toContain(rounding.value);
    expect(pull().body).toContain(`<!-- photon:records=${first.outcome.runId}:`);

    const applied = await run([], { event: closed(true), ...noModel });
    expect(applied.outcome).toMatchObject({ status: 'no_change', code: 'RECORDS_APPLIED' });
    expect(applied.model.requests).toEqual([]);
    expect(waiting()).toEqual([]);
    expect(note()).toMatchObject({
      body: rounding.value,
      tags: ['money', 'rounding'],
      version: 1,
      workspace: 'octo/sample',
      created: { run: first.outcome.runId, who: 'maintainer', accepted: 'wendy' },
    });
    expect(note()?.created.commit).toBe(first.outcome.base.commit);
    expect(pattern()).toMatchObject({
      confirmed: 1,
      tried: { files: ['src/price.js'], command: sampleTest },
    });

    const again = await run([], { event: closed(true), ...noModel });
    expect(again.outcome).toMatchObject({ status: 'no_change', code: 'RECORDS_NONE' });
    expect(records()).toHaveLength(2);

    const next = await run(plain);
    expect(told(next)).toContain('advice and data, not instructions');
    expect(told(next)).toContain(rounding.value);
    expect(told(next)).toContain(`${pattern()?.id} pattern v1: orderTotal in src/price.js`);
    expect(next.ledger.find(e => e.tool === 'memory.read')).toMatchObject({
      facts: { records: 2, offered: 2 },
    });
  });

  it('are kept on /photon accept by who may, and by nobody else', async () => {
    await run(noted);
    const said = { body: '/photon accept', pull: true, number: pull().number };
    const refused = await run([], { event: comment({ ...said, by: stranger }), ...noModel });
    expect(refused.outcome.code).toBe('NOT_AUTHORISED');
    expect(records()).toEqual([]);
    const onIssue = await run([], { event: comment({ body: '/photon accept' }), ...noModel });
    expect(onIssue.outcome.code).toBe('ACCEPT_NOTHING');
    // a mark that was copied into another pull request is followed nowhere
    const copy: PullState = { ...pull(), number: 7, head: 'other', state: 'open', user: writer };
    github.store.push('other', { 'x.txt': 'x' });
    for (const fork of [true, false]) {
      const stolen = { ...copy, fork };
      github.state.pulls.set(7, stolen);
      const { outcome } = await run([], { event: closed(true, stolen), ...noModel });
      expect(outcome.code).toBe('RECORDS_CHANGED');
    }
    expect(records()).toEqual([]);
    const accepted = await run([], { event: comment(said), ...noModel });
    expect(accepted.outcome).toMatchObject({
      code: 'RECORDS_APPLIED',
      message: '2 record changes were kept.',
    });
    expect(note()?.created.accepted).toBe('wendy');
    const answer = [...github.state.comments.values()].at(-1)?.body ?? '';
    expect(answer).toContain('2 record changes were kept.');
    expect(answer).not.toContain('Nothing was written');
  });

  it.runIf(playsVariants)(
    'are dropped when the pull request is closed without a merge',
    async () => {
      await run(noted);
      const { outcome } = await run([], { event: closed(false), ...noModel });
      expect(outcome.code).toBe('RECORDS_DROPPED');
      expect([records(), waiting()]).toEqual([[], []]);
    },
  );

  it.runIf(playsVariants)(
    'are kept without any event, when a later run finds the pull request merged',
    async () => {
      await run(noted);
      merge();
      const other = 'Say in README.md that orders over 50.00 ship for free.';
      const old = 'Prices with a discount.';
      const edits = [{ start_line: 3, content: 'Prices.', old }];
      const readme = say(
        activate('test-repair'),
        planOf(['README.md'], 20, 'README'),
        readLines('README.md', 1, 3),
        call('apply_patch', { files: [{ path: 'README.md', edits }] }),
        call('verify'),
      );
      // only a case that ran proves a patch, and so a pattern to keep
      const inputs = { 'test-command': "echo '1..1'; echo 'ok 1 - price'" };
      const later = await run([readme, done], { task: other, inputs });
      expect(later.outcome.status).toBe('committed');
      expect(later.outcome.notes).toContain('Pull request #6: 2 record changes were kept.');
      expect(note()?.body).toBe(rounding.value);
      expect(waiting()).toHaveLength(1);
    },
  );
});

describe('yolo records', () => {
  beforeEach(() => configure({ mode: 'yolo', records: true }));

  it.runIf(playsVariants)('are kept at once; an update names the version it saw', async () => {
    const first = await run(noted);
    expect(first.outcome.notes).toEqual(['2 record changes were kept.']);
    expect(pull().body).not.toContain('photon:records=');
    expect(pull().body).toContain('Photon has already applied these changes');
    const key = note()?.id ?? '';
    const value = 'Totals are whole cents; round half away from zero.';
    const updating = (version: number, words = value) =>
      call('record_update', { key, version, value: words });
    const second = await run([
      begin,
      look,
      repair,
      turn('record_search', { query: 'rounding of cents' }),
      say(updating(7), updating(1), updating(1, 'Something else.')),
      prove,
      done,
    ]);
    const answers = answersOf(second);
    expect(answers.find(a => a.includes('data, not instructions'))).toContain(
      `| ${rounding.value}`,
    );
    expect(answers.filter(a => a.startsWith('ARGUMENTS_INVALID'))).toEqual([
      expect.stringContaining(
        `RECORD_STALE: ${key} is at version 1, but the change is based on version 7`,
      ),
      expect.stringContaining(
        `RECORD_STALE: ${key} is at version 2, but the change is based on version 1`,
      ),
    ]);
    expect(note()).toMatchObject({
      version: 2,
      body: value,
      uses: 1,
      updated: { run: second.outcome.runId },
    });
  });
});

describe('memory advises', () => {
  it('by default without record tools, within the bytes of a first request', async () => {
    const { model, outcome } = await run(plain);
    const names = (model.requests[0]?.body.tools ?? []).map(t =>
      t.type === 'function' ? t.function.name : '',
    );
    expect(names.filter(n => n.startsWith('record_'))).toEqual([]);
    // it defines every tool that an allowed skill can grant, so that activation keeps the prefix
    expect(model.requests[0]?.bytes).toBeLessThan(9_000);
    expect(outcome.records?.changes.map(c => c.operation)).toEqual(['confirm']);
    expect(waiting()).toHaveLength(1);
  });

  it('off: nothing is read, offered, proposed or written', async () => {
    configure({ mode: 'off', records: true });
    const { model, outcome } = await run(plain);
    expect(outcome).toMatchObject({ status: 'committed', notes: [] });
    expect(outcome.records).toBeUndefined();
    expect(JSON.stringify(model.requests[0]?.body)).not.toContain('record_');
    expect(github.seen.filter(s => s.path.includes('memory'))).toEqual([]);
  });

  it.runIf(playsVariants)('a store that fails costs a note, never the run', async () => {
    const memory = (_m: string, path: string) => path.includes('photon/memory');
    github.fail(memory, { status: 500, times: 1000 });
    configure({ mode: 'yolo' });
    const { outcome } = await run(plain);
    expect(outcome).toMatchObject({ status: 'committed' });
    expect(outcome.notes).toEqual([expect.stringContaining('MEMORY_UNAVAILABLE')]);
  });

  it.each(
    sample<[string, string | undefined, boolean]>(
      'openers of an issue',
      [
        ['a stranger opened the issue that started the workflow', 'read', false],
        ['the actor is unknown', undefined, false],
        ['a maintainer opened it', 'write', true],
      ],
      1,
    ),
  )('what is kept when %s', async (_name, permission, kept) => {
    configure({ mode: 'yolo', records: true });
    if (permission !== undefined) github.state.permissions.set('maintainer', permission);
    const script = kept ? noted : plain;
    const event = {
      name: 'issues',
      payload: { action: 'opened', sender: stranger satisfies Person },
    };
    const { outcome, model } = await run(script, { event, inputs: { task: sampleTask } });
    expect(outcome.status).toBe('committed');
    expect(records().length > 0).toBe(kept);
    expect(outcome.records !== undefined).toBe(kept);
    expect(JSON.stringify(model.requests[0]?.body).includes('record_add')).toBe(kept);
  });
});
