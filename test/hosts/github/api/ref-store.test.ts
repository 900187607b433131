import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGitHub } from '../../../../src/hosts/github/api/client.ts';
import { openRefStore } from '../../../../src/hosts/github/api/ref-store.ts';
import { type Change, getRecordId } from '../../../../src/memory/change.ts';
import { readRecords, recordPath } from '../../../../src/memory/record.ts';
import { type Retry, rewriteStore, workOnRecords } from '../../../../src/memory/work-on-records.ts';
import type { VersionedStore } from '../../../../src/workspace/stores/versioned-store.ts';
import { type Fault, type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import { sharedNote, writerChanges } from '../../../doubles/record-changes.ts';
import { root } from '../../../harness.ts';
import { isAll, randomOf } from '../../../seed.ts';

const home = 'octo/sample';
let github: GitHubDouble;
beforeEach(async () => {
  github = await startGitHub({ seed: { 'a.txt': 'one\n' } });
});
afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
});

async function open(): Promise<VersionedStore> {
  const api = await openGitHub({
    repository: github.repository,
    apiUrl: github.url,
    token: github.token,
    log: () => {},
    now: Date.now,
    deadline: Date.now() + 300_000,
    signal: new AbortController().signal,
    mutationSpacingMs: 0,
  });
  return openRefStore(api);
}

/** As a run retries. */
const retrying: Retry = {
  random: randomOf('writers at once'),
  wait: ms => new Promise(done => setTimeout(done, ms)),
};

const write = (store: VersionedStore, changes: readonly Change[], retry = retrying) =>
  rewriteStore(store, f => workOnRecords(f, { changes, home, nowMs: 0, message: 'Write' }), retry);

async function expectEverything(writers: number): Promise<void> {
  const { files } = await (await open()).read();
  const { records, foreign, unreadable } = readRecords(files, home);
  expect([foreign, unreadable]).toEqual([0, 0]);
  const bodies = [...records.values()].map(r => r.body);
  expect(new Set(bodies).size, 'none is twice').toBe(bodies.length);
  const own = [...Array(writers).keys()].flatMap(n =>
    [0, 1, 2].map(i => `Note ${i} of writer ${n}.`),
  );
  const shared = [sharedNote, writerChanges(0)[3]].map(c => (c as { body: string }).body);
  expect(bodies.sort()).toEqual([...own, ...shared].sort());
  expect(records.get(getRecordId(sharedNote))?.uses, 'no count is lost').toBe(writers);
}

describe('writers at once', () => {
  const writers = isAll ? 20 : 4;

  it(`${writers} processes lose nothing and write nothing twice`, async () => {
    const script = join(root, 'test', 'doubles', 'record-writer.ts');
    const children = [...Array(writers).keys()].map(n => {
      const args = [script, github.url, github.token, github.repository, String(n)];
      return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    });
    const outputs = children.map(readLines);
    await Promise.all(outputs.map(s => s.next()));
    await write(await open(), [sharedNote]);
    for (const child of children) child.stdin.write('go\n');
    const answers = await Promise.all(
      outputs.map(
        async s => JSON.parse((await s.next()) ?? '') as { tries: number; refused: unknown[] },
      ),
    );
    await Promise.all(children.map(c => (c.exitCode === null ? once(c, 'exit') : null)));
    expect(answers.flatMap(a => a.refused)).toEqual([]);
    expect(Math.max(...answers.map(a => a.tries)), 'they did meet').toBeGreaterThan(1);
    await expectEverything(writers);
    // one commit a writer, each on top of another
    expect(github.store.git(['rev-list', '--count', 'refs/photon/memory'])).toBe(
      String(writers + 1),
    );
  });

  it('five stores that all make the first commit at the same time keep each other’s', async () => {
    await Promise.all(
      [...Array(5).keys()].map(async n => write(await open(), writerChanges(n).slice(0, 4))),
    );
    const { records } = readRecords((await (await open()).read()).files, home);
    expect(records.size).toBe(16);
  });
});

function readLines(child: ChildProcess): { next(): Promise<string | undefined> } {
  const lines: string[] = [];
  let rest = '';
  let wake = () => {};
  child.stdout?.on('data', chunk => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    wake();
  });
  return {
    next: async () => {
      while (lines.length === 0) await new Promise<void>(done => (wake = done));
      return lines.shift();
    },
  };
}

describe('the store of the records', () => {
  const isChange = (_method: string, path: string) => path === '/graphql';

  it.each<[string, Fault]>([
    ['lost after the write', { status: 502, afterWrite: true }],
    ['lost before the write', { status: 502 }],
    ['dropped after the write', { drop: true, afterWrite: true }],
  ])('a reply that is %s writes once', async (_name, fault) => {
    github.fail(isChange, fault);
    await write(await open(), [sharedNote]);
    github.fail(isChange, fault);
    await write(await open(), writerChanges(1));
    const { records } = readRecords((await (await open()).read()).files, home);
    expect(records.get(getRecordId(sharedNote))?.uses).toBe(1);
    expect(records.size).toBe(5);
  });

  it('a reply that is lost while another writes is found behind the other’s commit', async () => {
    await write(await open(), [sharedNote]);
    const slow = await open();
    const seen = await slow.read();
    const work = workOnRecords(seen.files, {
      changes: writerChanges(1),
      home,
      nowMs: 0,
      message: 'Slow',
    });
    github.fail(isChange, { status: 502, afterWrite: true });
    const swapping = slow.swap(seen, work.edits, work.message);
    // between the lost reply and the look at the ref somebody else comes through
    const intruder = await open();
    let done = false;
    while (!done) {
      const now = await intruder.read();
      if (readRecords(now.files, home).records.size < 5) continue;
      const other = workOnRecords(now.files, {
        changes: writerChanges(2),
        home,
        nowMs: 0,
        message: 'Other',
      });
      done = (await intruder.swap(now, other.edits, other.message)) === 'done';
    }
    expect(await swapping).toBe('done');
    expect(
      readRecords((await (await open()).read()).files, home).records.get(getRecordId(sharedNote))
        ?.uses,
    ).toBe(2);
  });

  it('gives up after its tries, with a code, and says nothing was lost', async () => {
    await write(await open(), [sharedNote]);
    const errors = [{ message: 'Update is not a fast forward' }];
    github.fail(isChange, { status: 200, body: { data: null, errors }, times: 99 });
    const waits: number[] = [];
    const retry = { random: () => 1, wait: async (ms: number) => void waits.push(ms), tries: 9 };
    await expect(write(await open(), writerChanges(1), retry)).rejects.toMatchObject({
      code: 'MEMORY_CONFLICT',
    });
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 6400, 8000, 8000, 8000]);
  });

  it('reads a hundred records with three requests', async () => {
    const many = [...Array(25).keys()].flatMap(n => writerChanges(n).slice(0, 4));
    await write(await open(), many);
    const before = github.seen.length;
    expect(readRecords((await (await open()).read()).files, home).records.size).toBe(76);
    expect(github.seen.length - before).toBe(3);
  });

  it('leaves out what Photon does not write, and a file that is none', async () => {
    await write(await open(), [sharedNote]);
    const { store } = github;
    const id = getRecordId(sharedNote);
    const put = (text: string) => {
      const file = { path: 'index.json', mode: '100644', sha: store.blob(text) };
      const commit = store.commit(store.tree(undefined, [file]), [], 'By hand');
      store.git(['update-ref', 'refs/photon/memory', commit]);
    };
    const { files } = await (await open()).read();
    const others = {
      'records/huge.json': 'x'.repeat(70_000),
      '../x.json': '{}',
      'queue/a.json': 1,
    };
    put(JSON.stringify({ schema: 1, files: { ...Object.fromEntries(files), ...others } }));
    expect([...(await (await open()).read()).files.keys()]).toEqual([recordPath(id)]);
    put('no JSON');
    expect([...(await (await open()).read()).files.keys()]).toEqual([]);
  });

  it('changes no branch and no file of the project', async () => {
    const main = github.store.refs()['refs/heads/main'];
    await write(await open(), [sharedNote]);
    expect(github.store.refs()['refs/heads/main']).toBe(main);
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main', 'refs/photon/memory']);
    expect(
      github.store.tryGit(['merge-base', 'refs/photon/memory', 'refs/heads/main']),
    ).toBeUndefined();
  });
});
