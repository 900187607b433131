import { describe, expect, it } from 'vitest';
import { listMarks } from '../../../../src/hosts/github/delivery/journal.ts';
import { marksIn } from '../arrange-publication.ts';
import { carryOut } from '../publication.ts';
import {
  asBranch,
  branch,
  codeOf,
  github,
  headNow,
  hidden,
  readTree,
  start,
  useServer,
} from '../restricted-server.ts';

useServer();

describe('a mark among the branches', () => {
  const rules = { onlyHeadsAndTags: true };

  it('stands while the publication is on its way, on the commit that is coming', async () => {
    const { publication } = await start(rules, 'none');
    const seen = new Set<string>();
    github.watch(({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/pulls')) return undefined;
      for (const name of marksIn(github.store.refs())) seen.add(name);
      expect(github.store.refs()[asBranch]).toBe(headNow());
      return undefined;
    });
    await carryOut(publication);
    expect([...seen]).toEqual([asBranch]);
    expect(seen).not.toContain(hidden);
  });

  it('of a killed run is cleared with its branch once it is old; what a person pushed there stays', async () => {
    const { publication } = await start(rules, 'none');
    const { store } = github;
    const old = new Date(Date.now() - 3_600_000);
    const tree = readTree('main');
    const left = store.commit(tree, [github.first], 'x\n\nPhoton-Task: other\n', old);
    const person = store.commit(tree, [github.first], 'By hand\n', old);
    const marks = { other: left, 'by-hand': person };
    for (const [name, sha] of Object.entries(marks)) {
      store.git(['update-ref', `refs/heads/bot/${name}`, sha]);
      store.git(['update-ref', listMarks(`bot/${name}`)[1], sha]);
    }
    await carryOut(publication);
    expect(Object.keys(store.refs())).toEqual([
      'refs/heads/bot/by-hand',
      'refs/heads/main',
      listMarks('bot/by-hand')[1],
      `refs/heads/${branch}`,
    ]);
  });

  it('that a person pushed to is not taken away for the branch that it is of', async () => {
    const { publication } = await start(rules, 'none');
    const pushed = github.store.push('photon/pending.mark/photon/task-1', { 'a.txt': 'hand\n' });
    expect(await codeOf(carryOut(publication))).toBe('BRANCH_TAKEN');
    expect(github.store.refs()).toMatchObject({ [asBranch]: pushed });
    expect(Object.keys(github.store.refs())).not.toContain(`refs/heads/${branch}`);
  });
});
