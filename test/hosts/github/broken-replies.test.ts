/** Replies that break off or are not GitHub's, at every request of every publication: it ends whole or clean. */
import { describe, expect, it } from 'vitest';
import { sample } from '../../seed.ts';
import {
  arrange,
  expectNoHalf,
  expectWhole,
  publications,
  requestsOf,
} from './arrange-publication.ts';
import { wayNames, ways } from './broken-ways.ts';
import { carryOut } from './publication.ts';

async function breakAnywhere(about: Parameters<typeof arrange>, count: number): Promise<void> {
  const [kind, earlier] = about;
  const asked = await requestsOf(...about);
  const cases = asked.flatMap(({ method, path }, moment) =>
    wayNames.flatMap(way =>
      (['once', 'always'] as const).map(times => ({ moment, method, path, way, times })),
    ),
  );
  const name = `broken replies of ${kind} ${earlier}`;
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

describe('a publication whose replies break', () => {
  it.each(sample('publications broken', publications, 2))(
    'as %s (%s before) is whole when one reply is broken, and whole or clean when all of a kind are',
    (kind, earlier) => breakAnywhere([kind, earlier], kind === 'pull-request' ? 2 : 1),
    600_000,
  );
});
