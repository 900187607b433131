/** Two runs of one task that publish at once, in many interleavings of their requests: one wins. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../src/base/codes.ts';
import { publishPatch } from '../../../src/hosts/github/delivery/publish.ts';
import { type GitHubDouble, startGitHub } from '../../doubles/github.ts';
import type { RefRules } from '../../doubles/routes/refs.ts';
import { isAll, randomOf } from '../../seed.ts';
import {
  carryOut,
  clientOf,
  type Publication,
  requestOf,
  seed,
  withContent,
} from './publication.ts';

/** Holds the requests of clients until each that still works has one, then lets one through by chance. */
function interleave(github: GitHubDouble, clients: readonly string[], random: () => number) {
  const working = new Set(clients);
  const waiting = new Map<string, () => void>();
  let busy = '';
  const order: string[] = [];
  const pump = () => {
    if (busy !== '' || waiting.size < working.size || waiting.size === 0) return;
    const names = [...waiting.keys()].sort();
    const name = names[Math.floor(random() * names.length)] ?? '';
    busy = name;
    order.push(name);
    const go = waiting.get(name);
    waiting.delete(name);
    go?.();
  };
  github.watch(({ client, stage }) => {
    if (client === '') return undefined;
    if (stage === 'after') {
      busy = '';
      return undefined;
    }
    return new Promise(resolve => {
      waiting.set(client, () => resolve(undefined));
      pump();
    });
  });
  return {
    order,
    /** A client got its answer, or came to its end. */
    ended: (name: string) => {
      working.delete(name);
      pump();
    },
  };
}

async function prepare(
  earlier: boolean,
  refRules: RefRules = {},
): Promise<{ github: GitHubDouble; base: Publication }> {
  const github = await startGitHub({ seed, refRules });
  const { store } = github;
  const about: Publication = {
    kind: 'pull-request',
    apiUrl: github.url,
    token: github.token,
    repository: github.repository,
    baseCommit: github.first,
    expectedTree: '',
    content: '',
    run: 'earlier',
    baseTree: store.git(['rev-parse', `${github.first}^{tree}`]),
  };
  const base = withContent(github, about, 'two\n');
  if (earlier) await carryOut(withContent(github, about, 'older\n'));
  return { github, base };
}

const branch = 'refs/heads/photon/task-1';

async function race(number: number, rules: RefRules = {}): Promise<string> {
  const { github, base } = await prepare(number % 2 === 1, rules);
  const startedFrom = github.store.tryGit(['rev-parse', '--verify', '-q', branch]);
  const names = ['a', 'b'];
  const gate = interleave(github, names, randomOf(`race ${number}`));
  const ends = await Promise.all(
    names.map(async name => {
      const publication = {
        ...base,
        run: name,
        apiUrl: `${github.url}/as-${name}`,
        startedFrom: startedFrom ?? null,
      };
      try {
        const published = await carryOut(publication);
        return published === 'moved' ? published : published.delivered.operation;
      } catch (error) {
        return error instanceof PhotonError ? error.code : String(error);
      } finally {
        gate.ended(name);
      }
    }),
  );
  const won = startedFrom === undefined ? 'created' : 'updated';
  const order = gate.order.join('');
  expect([...ends].sort(), order).toEqual(['BRANCH_MOVED', won].sort());
  const winner = names[ends.indexOf(won)] ?? '';
  const pulls = [...github.state.pulls.values()];
  expect(pulls.map(p => [p.state, p.title])).toEqual([['open', `Two by ${winner}`]]);
  expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main', branch]);
  expect(github.store.git(['log', '-1', '--format=%B', branch])).toContain(`Photon-Run: ${winner}`);
  expect(github.violations).toEqual([]);
  await github.close();
  return order;
}

/** How many interleavings are played. */
const count = isAll ? 50 : 4;

describe('two runs of one task at once', () => {
  it(`never both win, in ${count} interleavings; the loser says so`, async () => {
    const orders = new Set<string>();
    for (let number = 0; number < count; number++) orders.add(await race(number));
    // the interleavings are other ones each time
    expect(orders.size).toBeGreaterThan(count * 0.8);
  });

  it('a person who pushes between look and update keeps the commit', async () => {
    const { github, base } = await prepare(true);
    let pushed = '';
    github.watch(({ path, stage }) => {
      if (path === '/graphql' && stage === 'before' && pushed === '')
        pushed = github.store.push('photon/task-1', { 'a.txt': 'by hand\n' }, 'By hand');
      return undefined;
    });
    const end = await carryOut({ ...base, run: 'late' }).catch((e: PhotonError) => e.code);
    expect(end).toBe('BRANCH_TAKEN');
    expect(github.store.git(['rev-parse', branch])).toBe(pushed);
    await github.close();
  });

  it('a commit of Photon that a person amended is a person’s', async () => {
    const { github, base } = await prepare(true);
    const { store } = github;
    const message = store.git(['log', '-1', '--format=%B', branch]);
    const tree = store.tree(branch, [{ path: 'a.txt', mode: '100644', sha: store.blob('hand\n') }]);
    const amended = store.commit(tree, [github.first], message);
    store.git(['update-ref', branch, amended]);
    const end = await carryOut({ ...base, run: 'late' }).catch((e: PhotonError) => e.code);
    expect(end).toBe('BRANCH_TAKEN');
    expect(store.git(['rev-parse', branch])).toBe(amended);
    await github.close();
  });

  it.each([
    ['only updated from the base', 'main', {}, 'updated'],
    ['updated with words of their own', 'main', { 'a.txt': 'hand\n' }, 'BRANCH_TAKEN'],
    ['updated with a file of their own', 'main', { 'd.txt': 'hand\n' }, 'BRANCH_TAKEN'],
    ['updated from another branch', 'feature', {}, 'BRANCH_TAKEN'],
  ])('a branch that a person %s', async (_name, from, byHand, expected) => {
    const { github, base } = await prepare(true);
    const { store } = github;
    const own = store.git(['rev-parse', branch]);
    const moved = store.push(from, { 'e.txt': 'base\n' }, 'Moved');
    const changes = Object.entries({ 'e.txt': 'base\n', ...byHand });
    const tree = store.tree(
      own,
      changes.map(([path, text]) => ({ path, mode: '100644', sha: store.blob(text) })),
    );
    const head = store.commit(tree, [own, moved], `Merge branch '${from}' into photon/task-1`);
    store.git(['update-ref', branch, head]);
    const end = await carryOut({ ...base, run: 'late' }).then(
      done => (done === 'moved' ? done : done.delivered.operation),
      (e: PhotonError) => e.code,
    );
    expect(end).toBe(expected);
    if (expected === 'BRANCH_TAKEN') expect(store.git(['rev-parse', branch])).toBe(head);
    await github.close();
  });

  it('a run that is cancelled in the middle puts the branch back all the same', async () => {
    const { github, base } = await prepare(false);
    const cancel = new AbortController();
    github.watch(({ method, path, stage }) => {
      if (method === 'POST' && path.endsWith('/pulls') && stage === 'before')
        cancel.abort(new PhotonError('CANCELLED'));
      return undefined;
    });
    const rescue = () => clientOf(base);
    const end = await publishPatch(
      await clientOf(base, { signal: cancel.signal }),
      requestOf(base, { rescue }),
    ).catch((e: PhotonError) => e.code);
    expect(end).toBe('CANCELLED');
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
    await github.close();
  });
});
