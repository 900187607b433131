import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecords } from '../../src/memory/record.ts';
import { rewriteStore, workOnRecords } from '../../src/memory/work-on-records.ts';
import { openLocalStore } from '../../src/workspace/stores/versioned-store.ts';
import { startModel } from '../doubles/model.ts';
import { makeRepository } from '../doubles/repository.ts';
import {
  begin,
  done,
  look,
  prove,
  repair,
  sampleFiles,
  sampleTask,
  withSampleTest,
} from '../doubles/sample.ts';
import { call, turnOf } from '../doubles/steps.ts';
import { canary, discard, makeFolder } from '../harness.ts';
import { adding } from '../memory/making.ts';
import { type PhotonEnd, startPhoton } from '../process.ts';
import { playsVariants, randomOf } from '../seed.ts';

let folder: string;
let repo: string;
beforeEach(() => {
  folder = makeFolder();
  repo = join(folder, 'repo');
});
afterEach(() => discard(folder));

const photon = (args: readonly string[], env: Record<string, string> = {}): Promise<PhotonEnd> =>
  startPhoton({
    args,
    cwd: dirname(folder),
    env: { PATH: process.env.PATH ?? '', HOME: folder, USER: 'lena', ...env },
  });

const memory = (...args: readonly string[]) => photon(['memory', ...args, '--repo', repo]);

const value = 'Totals are whole cents; round once, at the end.';
const noting = turnOf(
  'What was learned here is worth a note. I put it where later runs find it.',
  call('record_add', { keywords: ['money'], value }),
);

async function work(
  script = [begin, look, repair, noting, prove, done],
  more: readonly string[] = [],
): Promise<PhotonEnd & { asked: string }> {
  const model = await startModel(script);
  const task = ['--task', sampleTask, ...withSampleTest];
  const args = ['run', '--repo', repo, ...task, '--out', join(folder, 'out'), ...more];
  const env = { PHOTON_API_KEY: canary, PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
  const said = await photon(args, env);
  await model.close();
  expect(model.violations).toEqual([]);
  return { ...said, asked: JSON.stringify(model.requests[0]?.body.messages) };
}

const configured = (settings: object) => ({
  ...sampleFiles,
  '.photon/config.json': JSON.stringify({ memory: settings }),
});

describe('records in local use', () => {
  it('wait until the terminal accepts them; list, show, export and forget', async () => {
    makeRepository(repo, { files: configured({ records: true }) });
    const first = await work();
    const run = /photon memory accept (\S+) keeps them/.exec(first.err)?.[1] ?? '';
    expect(run, first.err).not.toBe('');
    expect((await memory('list')).out).toContain(`2 changes of run ${run}, wait for a review`);
    expect((await memory('accept', run)).out).toBe(`${run}: 2 record changes kept\n`);
    expect((await memory('accept', run)).err).toContain('RECORDS_NONE');
    const { out: listed } = await memory('list');
    expect(listed.split('\n').filter(Boolean)).toHaveLength(2);
    const id = /r-[0-9a-f]{12}/.exec(listed)?.[0] ?? '';
    const shown = (await memory('show', id)).out;
    expect(shown).toContain(value);
    expect(shown).toMatch(/created: \S+ by lena, run \S+ on [0-9a-f]{12}, accepted by lena/);
    const text = (await memory('export')).out;
    expect((await memory('export')).out).toBe(text);
    const data = JSON.parse(text) as { workspace: string; records: { id: string }[] };
    expect(data).toMatchObject({ schema: 1, workspace: 'local' });
    expect(data.records.map(r => r.id)).toEqual(data.records.map(r => r.id).sort());
    const second = await work([begin, look, repair, prove, done]);
    expect(second.asked).toContain(value);
    expect((await memory('forget', id)).out).toBe(`${id}: forgotten\n`);
    expect((await memory('show', id)).err).toContain('RECORD_UNKNOWN');
    expect((await memory('forget', 'r-000000000000')).code).toBe(1);
  });

  it.runIf(playsVariants)(
    'are hidden from git, and leave no file where nobody asked for them',
    async () => {
      makeRepository(repo, { files: configured({ mode: 'yolo' }) });
      await work([begin, look, repair, prove, done]);
      expect(existsSync(join(repo, '.photon', 'memory', 'records.db'))).toBe(true);
      expect(readFileSync(join(repo, '.photon', 'memory', '.gitignore'), 'utf8')).toBe('*\n');
      expect((await memory('list')).out).toContain('pattern');
      repo = join(folder, 'plain');
      makeRepository(repo, { files: sampleFiles });
      await work([begin, look, repair, prove, done]);
      expect(existsSync(join(repo, '.photon'))).toBe(false);
      expect(await memory('list')).toMatchObject({
        code: 0,
        out: expect.stringContaining('There are no records here yet.'),
      });
    },
  );

  it('of twenty writers at once lose nothing', async () => {
    mkdirSync(repo);
    const home = 'octo/sample';
    const retry = { random: randomOf('twenty writers'), wait: async () => {} };
    const write = async (n: number) => {
      const shelf = openLocalStore(repo);
      const plan = {
        changes: [adding(`note ${n}`), adding('shared')],
        home,
        nowMs: 0,
        message: '',
      };
      return rewriteStore(shelf, files => workOnRecords(files, plan), retry);
    };
    const written = await Promise.all([...Array(20).keys()].map(write));
    expect(Math.max(...written.map(w => w.tries))).toBeGreaterThan(1);
    const state = await openLocalStore(repo).read();
    expect(readRecords(state.files, home).records.size).toBe(21);
  });
});
