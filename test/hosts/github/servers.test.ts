/** Publications on servers that take less of refs: rules of branches. */
import { describe, expect, it } from 'vitest';
import { undoPull } from '../../../src/hosts/github/delivery/undo.ts';
import { sample } from '../../seed.ts';
import { type Arranged, expectWhole, servers } from './arrange-publication.ts';
import { carryOut, clientOf } from './publication.ts';
import {
  branch,
  codeOf,
  github,
  headNow,
  onNewBase,
  readTree,
  start,
  useServer,
} from './restricted-server.ts';

useServer();

const parentsOf = (commit: string) => github.store.files.parentsOf(commit);

function ownPull() {
  const pull = { number: 1, branch, sha: headNow(), taskId: 'task-1', base: 'main' };
  return { ...pull, state: 'open' as const, url: 'http://127.0.0.1/' };
}

async function undo({ publication }: Arranged) {
  return undoPull(await clientOf(publication), ownPull());
}

describe.each(sample('servers', Object.entries(servers), 1))('a server %s', (server, rules) => {
  it('gets the pull request at the first time, and no ref but its branch', async () => {
    const arranged = await start(rules, 'none');
    const refs = new Set<string>();
    github.watch(() => {
      for (const ref of Object.keys(github.store.refs())) refs.add(ref);
      return undefined;
    });
    await carryOut({ ...arranged.publication, run: 'next' });
    expectWhole(arranged);
    expect([...refs]).toEqual(['refs/heads/main', `refs/heads/${branch}`]);
    expect(parentsOf(headNow())).toEqual([github.first]);
  });

  it('gets it again: in place of the commit, or on top of it, and undo takes all of it', async () => {
    const arranged = await start(rules);
    const first = headNow();
    await carryOut({ ...arranged.publication, run: 'next' });
    expectWhole(arranged);
    const forced = !rules.noForcePush;
    expect(parentsOf(headNow())).toEqual([forced ? github.first : first]);
    expect(readTree(headNow())).toBe(arranged.publication.expectedTree);
    expect(await undo(arranged)).toMatchObject({ code: 'UNDONE' });
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
    expect(github.state.pulls.get(1)?.state).toBe('closed');
  });

  it('gets it on a base that went on, as the patch alone, as often as it is asked', async () => {
    const arranged = await start(rules);
    const first = headNow();
    const moved = onNewBase(arranged);
    await carryOut(moved);
    expectWhole(arranged);
    const forced = !rules.noForcePush;
    expect(parentsOf(headNow())).toEqual(forced ? [moved.baseCommit] : [first, moved.baseCommit]);
    const changed = github.store.git(['diff', '--name-only', 'main...photon/task-1']);
    expect(changed.split('\n').filter(Boolean)).toEqual(['a.txt', 'b.bin', 'c.bin']);
    // a commit with two parents is a commit of the task like any other
    await carryOut({ ...moved, run: 'next' });
    expectWhole(arranged);
    expect(await undo(arranged)).toMatchObject({ code: 'UNDONE' });
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
  });

  it.each(sample('earlier runs', ['none', 'open'], 1))(
    'loses nothing that a person pushes before any write (%s before)',
    async earlier => {
      const whole = await start(rules, earlier);
      const { length: before } = github.seen;
      await carryOut({ ...whole.publication, run: 'next' });
      const writes = github.seen
        .slice(before)
        .map(({ method, path }, index) => ({ method, path, index }))
        .filter(s => s.method !== 'GET' && /\/git\/refs|\/graphql|\/pulls/.test(s.path));
      expect(writes.length).toBeGreaterThanOrEqual(2);
      for (const { index } of sample(`pushes on a server ${server} ${earlier}`, writes, 1)) {
        await github.close();
        const arranged = await start(rules, earlier);
        const at = github.seen.length + index;
        let pushed = '';
        github.watch(({ index: now, stage }) => {
          if (now === at && stage === 'before')
            pushed = github.store.push(branch, { 'a.txt': 'by hand\n' }, 'By hand');
          return undefined;
        });
        const end = await codeOf(carryOut({ ...arranged.publication, run: 'next' }));
        expect(headNow(), `pushed before request ${index}, which ended ${end}`).toBe(pushed);
        expect(end).toMatch(/^(?:BRANCH_TAKEN|PUBLISH_MISMATCH|published)$/);
      }
    },
  );

  it('keeps a failed first publication out of sight, and a failed update whole', async () => {
    const arranged = await start(rules, 'none');
    const refused = { status: 422, body: { message: 'Validation Failed' }, times: 50 };
    github.fail((m, p) => m === 'POST' && p.endsWith('/pulls'), refused);
    expect(await codeOf(carryOut(arranged.publication))).toBe('GITHUB_REQUEST');
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);

    await github.close();
    const again = await start(rules);
    const first = headNow();
    github.fail((m, p) => m === 'PATCH' && p.endsWith('/pulls/1'), refused);
    const log: string[] = [];
    const late = carryOut({ ...again.publication, run: 'late' }, { log: line => log.push(line) });
    expect(await codeOf(late)).toBe('GITHUB_REQUEST');
    const forced = !rules.noForcePush;
    if (forced) expect(headNow()).toBe(first);
    else {
      expect(parentsOf(headNow())).toEqual([first]);
      expect(readTree(headNow())).toBe(again.publication.expectedTree);
      expect(log.join('\n')).toContain(`could not restore ${branch}`);
    }
  });
});
