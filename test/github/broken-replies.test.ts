/** Replies that break off or are not GitHub's, at every request of every publication: it ends whole or clean. */
import { describe, expect, it } from 'vitest';
import { swapRefs } from '../../src/github/api/swap-refs.ts';
import { sample } from '../seed.ts';
import {
  arrange,
  expectNoHalf,
  expectWhole,
  onServers,
  publications,
  requestsOf,
  servers,
} from './arrange-publication.ts';
import { wayNames, ways } from './broken-ways.ts';
import { carryOut, clientOf } from './publication.ts';

async function breakAnywhere(about: Parameters<typeof arrange>, count: number): Promise<void> {
  const [kind, earlier, rules = {}] = about;
  const asked = await requestsOf(...about);
  const cases = asked.flatMap(({ method, path }, moment) =>
    wayNames.flatMap(way =>
      (['once', 'always'] as const).map(times => ({ moment, method, path, way, times })),
    ),
  );
  const name = ['broken replies of', kind, earlier, ...Object.keys(rules)].join(' ');
  for (const { moment, method, path, way, times } of sample(name, cases, count, 40)) {
    const arranged = await arrange(...about);
    const { github, publication } = arranged;
    const refs = github.store.refs();
    const first = github.seen.length;
    github.fail(
      (m, p, index) => (times === 'once' ? index === first + moment : m === method && p === path),
      { broken: ways[way], times: times === 'once' ? 1 : 1000 },
    );
    const where = `request ${moment} (${method} ${path}): ${way}, ${times}`;
    try {
      const ended = await carryOut({ ...publication, run: 'next' }).catch(error => error);
      if (times === 'once') {
        expect(ended).toMatchObject({ delivered: { kind } });
        expectWhole(arranged);
      } else if (ended instanceof Error) {
        expect(ended).toMatchObject({ code: 'GITHUB_REPLY' });
        expectNoHalf(arranged, Object.values(refs));
      }
      expectNothingLost(arranged, refs);
    } catch (error) {
      throw new Error(`${where}: ${error}`, { cause: error });
    }
    await github.close();
  }
}

describe('a publication whose replies break', () => {
  it.each(publications)(
    'as %s (%s before) is whole when one reply is broken, and whole or clean when all of a kind are',
    (kind, earlier) => breakAnywhere([kind, earlier], kind === 'pull-request' ? 6 : 3),
    300_000,
  );

  it.each(onServers('servers with broken replies', 1))(
    'on a server %s (%s before) is whole when one is broken, and whole or clean when all of a kind are',
    (server, earlier) => breakAnywhere(['pull-request', earlier, servers[server]], 3),
    300_000,
  );
});

describe('a ref', () => {
  it.each([undefined, '', '0'.repeat(40), 'abc', 'HEAD'])(
    'is never set to %s, which names no object',
    async after => {
      const { github, publication } = await arrange('commit', 'none');
      const before = github.store.refs();
      const client = await clientOf(publication);
      const place = { repository: github.repository, nodeId: 'R_1' };
      const change = { name: 'refs/heads/feature', before: before['refs/heads/feature'] ?? null };
      const swap = swapRefs(client, place, [{ ...change, after: after as string | null }]);
      await expect(swap).rejects.toMatchObject({ code: 'INTERNAL' });
      expect(github.store.refs()).toEqual(before);
      await github.close();
    },
  );
});

/** What people's branches held, they hold; Photon's own are its to move. */
function expectNothingLost(
  { github }: Awaited<ReturnType<typeof arrange>>,
  before: Readonly<Record<string, string>>,
): void {
  const now = github.store.refs();
  for (const [name, head] of Object.entries(before))
    if (!name.startsWith('refs/heads/photon/'))
      expect(github.store.isAncestor(head, now[name] ?? ''), name).toBe(true);
}
