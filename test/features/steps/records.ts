/** Steps about long-term records: what is there before a run on GitHub, what the agent asks, what is kept. */
import { expect } from 'vitest';
import { readQueues } from '../../../src/memory/queue.ts';
import {
  type MemoryRecord,
  newRecord,
  readRecords,
  recordPath,
  renderRecord,
} from '../../../src/memory/record.ts';
import { answersOf } from '../../doubles/answers.ts';
import { permit, stranger } from '../../doubles/events.ts';
import type { GitHubDouble } from '../../doubles/github.ts';
import type { ScriptedTurn } from '../../doubles/model.ts';
import { begin, done, look, prove, repair } from '../../doubles/sample.ts';
import { readLines, replaceLine, say, turn } from '../../doubles/steps.ts';
import { type ActionRun, isXml } from '../../harness.ts';
import { play, type Scenario } from '../../run/scenario.ts';
import type { World } from '../world.ts';
import { profileLike } from './repository.ts';
import { step } from './step.ts';

interface Scene {
  readonly config: object;
  /** The agent profile; empty for that of every run. */
  readonly agent: string;
  /** The profile of the repository; empty for a shipped one. */
  readonly profile: string;
  readonly before: readonly MemoryRecord[];
  readonly calls: NonNullable<ScriptedTurn['calls']>;
  /** The event and its actor; a dispatch of somebody who may write if there is none. */
  readonly trigger?: Pick<Scenario, 'event' | 'env'>;
  readonly run?: ActionRun;
  readonly answers: readonly string[];
  readonly asked: string;
  readonly pull: string;
  readonly records: readonly MemoryRecord[];
  readonly waiting: number;
}

const home = 'octo/sample';
const ownProfile = '.photon/kjxlkj-agent.json';
const withTools = { config: { memory: { records: true } }, agent: '', profile: '' };
const none = { before: [], calls: [], answers: [], asked: '', pull: '', records: [], waiting: 0 };
const scenes = new WeakMap<World, Scene>();
const scene = (world: World): Scene => scenes.get(world) ?? { ...none, ...withTools };
const change = (world: World, more: Partial<Scene>) =>
  scenes.set(world, { ...scene(world), ...more });

const dayMs = 86_400_000;

function recordOf(id: string, body: string, daysAgo = 1): MemoryRecord {
  const at = new Date(Date.now() - daysAgo * dayMs).toISOString();
  const by = { run: 'an-earlier-run', commit: '', who: 'wendy', at };
  const parts = { workspace: home, kind: 'note', title: body, body, tags: [], by } as const;
  return newRecord(id, parts);
}

function patternOf(id: string, daysAgo: number): MemoryRecord {
  const { title, body, created } = recordOf(id, 'Repair of orderTotal in src/price.js', daysAgo);
  const tried = { files: ['src/price.js'], skills: ['test-repair'], command: 'npm test' };
  return newRecord(
    id,
    { workspace: home, kind: 'pattern', title, body, tags: [], by: created },
    tried,
  );
}

function seed({ store }: GitHubDouble, records: readonly MemoryRecord[]): void {
  const files = Object.fromEntries(records.map(r => [recordPath(r.id), renderRecord(r)]));
  const sha = store.blob(JSON.stringify({ schema: 1, files }));
  const tree = store.tree(undefined, [{ path: 'index.json', mode: '100644', sha }]);
  const commit = store.commit(tree, [], 'Records');
  store.git(['update-ref', 'refs/photon/memory', commit]);
}

function stored({ store }: GitHubDouble): ReadonlyMap<string, string> {
  const text = store.tryGit(['show', 'refs/photon/memory:index.json']);
  return new Map(
    Object.entries(JSON.parse(text ?? '{"files":{}}').files as Record<string, string>),
  );
}

async function act(world: World, ending: readonly ScriptedTurn[]): Promise<void> {
  const { config, agent, profile, before, calls, trigger } = scene(world);
  const notes = { text: 'The records are the place for this, so I ask them now.', calls };
  // without a transcript, lines count as read while the last results show them
  const script = [begin, ...(calls.length === 0 ? [] : [notes]), look, ...ending];
  const files = {
    '.photon/config.json': JSON.stringify(config),
    ...(profile === '' ? {} : { [ownProfile]: profile }),
  };
  const arrange = (github: GitHubDouble) => {
    if (trigger !== undefined) permit(github);
    if (before.length > 0) seed(github, before);
  };
  const named = agent === '' ? {} : { agent: { profile: agent } };
  const watched = { script, files, config: named, arrange, movesBase: true, ...trigger };
  await play(watched, ({ github, model, ...run }) => {
    const found = stored(github);
    change(world, {
      run,
      answers: model.requests.flatMap(r => answersOf(r.body)),
      asked: JSON.stringify(model.requests[0]?.body.messages),
      pull: [...github.state.pulls.values()][0]?.body ?? '',
      records: [...readRecords(found, home).records.values()],
      waiting: readQueues(found).flatMap(q => q.changes).length,
    });
  });
}

const wrong = say(replaceLine('src/price.js', 4, '  return 7;'));

function getBody(world: World, id: string): MemoryRecord {
  const record = scene(world).records.find(r => r.id === id);
  return record ?? expect.fail(`there is no record ${id}`);
}

export const recordSteps = [
  step('the memory mode is {string}', (world, mode: string) => {
    change(world, { config: { memory: { mode, records: true } } });
  }),
  step('the agent is kjxlkj-agent, and no setting names its memory', world => {
    change(world, { config: {}, agent: 'kjxlkj-agent' });
  }),
  step('the prompt file says {string}', (world, more: string) => {
    change(world, { profile: profileLike(more), agent: ownProfile });
  }),
  step('the configuration says {string}', (world, text: string) => {
    change(world, { config: JSON.parse(text) as object });
  }),
  step('the record {string} says {string}', (world, id: string, body: string) => {
    change(world, { before: [...scene(world).before, recordOf(id, body)] });
  }),
  step(
    'the record {string} of {int} days ago says {string}',
    (world, id: string, days: number, body: string) => {
      change(world, { before: [...scene(world).before, recordOf(id, body, days)] });
    },
  ),
  step('the pattern {string} was validated {int} days ago', (world, id: string, days: number) => {
    change(world, { before: [...scene(world).before, patternOf(id, days)] });
  }),
  step('the agent, in its run, calls {string} with:', (world, name: string, args: string) => {
    change(world, {
      calls: [...scene(world).calls, { name, arguments: JSON.parse(args) as object }],
    });
  }),
  step('the run commits', async world => {
    await act(world, [repair, prove, done]);
    expect(scene(world).run?.outcome.status).toBe('committed');
  }),
  step('the run does not verify', async world => {
    await act(world, [wrong, ...Array<ScriptedTurn>(8).fill(prove)]);
    expect(scene(world).run?.outcome).toMatchObject({
      status: 'rolled_back',
      code: 'VERIFY_FAILED',
    });
  }),
  step('the run gives up', async world => {
    await act(world, [turn('abstain', { reason: 'Nothing here fits.' })]);
    expect(scene(world).run?.outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
  }),
  step('the run breaks a rule', async world => {
    await act(world, [say(readLines('../outside', 1, 2))]);
    expect(scene(world).run?.outcome).toMatchObject({ status: 'failed', code: 'PATH_ESCAPE' });
  }),
  step('the task comes from somebody who may not write', world => {
    const issue = { number: 5, title: 'Discount', body: 'It is ten times too much.' };
    const payload = { action: 'opened', issue, sender: stranger };
    const env = { GITHUB_ACTOR: stranger.login };
    change(world, { trigger: { event: { name: 'issues', payload }, env } });
  }),
  step('no record is offered in the first prompt', world => {
    const { config } = scene(world) as { config: { memory?: object } };
    change(world, { config: { ...config, memory: { ...config.memory, adviceBytes: 0 } } });
  }),
  step('the record {string} should be at version {int}', (world, id: string, version: number) => {
    expect(getBody(world, id).version).toBe(version);
  }),
  step('the record {string} should say {string}', (world, id: string, body: string) => {
    expect(getBody(world, id).body).toBe(body);
  }),
  step(
    'the pattern {string} should have failed {int} time(s)',
    (world, id: string, times: number) => {
      expect(getBody(world, id).failed).toBe(isXml ? 0 : times);
    },
  ),
  step('a pattern should be proposed', world => {
    const changes = scene(world).run?.outcome.records?.changes ?? [];
    expect(changes.map(c => [c.operation, c.kind])).toEqual([['confirm', 'pattern']]);
  }),
  step('a record should say {string}', (world, body: string) => {
    expect(scene(world).records.map(r => r.body)).toContain(body);
  }),
  step('no record should say {string}', (world, body: string) => {
    expect(scene(world).records.map(r => r.body)).not.toContain(body);
  }),
  step('{int} change(s) should wait for review', (world, count: number) => {
    expect(scene(world).waiting).toBe(count);
  }),
  step('the pull request should show {string}', (world, text: string) => {
    expect(scene(world).pull).toContain(text);
  }),
  step('the records should have answered {string}', (world, text: string) => {
    expect(scene(world).answers.join('\n')).toContain(text);
  }),
  step('the first prompt should hold {string}', (world, text: string) => {
    expect(scene(world).asked.includes(text)).toBe(!isXml);
  }),
  step('the first prompt should not hold {string}', (world, text: string) => {
    expect(scene(world).asked).not.toContain(text);
  }),
  step(
    'the ledger should sum up {string} on {string}',
    (world, operation: string, record: string) => {
      const facts = scene(world).run?.ledger.map(e => e.facts);
      expect(facts).toContainEqual(expect.objectContaining({ operation, record }));
    },
  ),
];
