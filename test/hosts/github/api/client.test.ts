/** What the clients of one process share, and what each has of its own: its repository and its limit. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../../src/base/codes.ts';
import type { GitHub } from '../../../../src/hosts/github/api/github.ts';
import { client, github, useGitHub } from './asking.ts';

useGitHub();

const other = 'acme/other';

/** A limit, and what ends it. */
function openLimit() {
  const end = new AbortController();
  return { limit: { signal: end.signal, deadline: Date.now() + 60_000 }, end };
}

describe('a client', () => {
  const ways: readonly [string, (of: GitHub, limit: Parameters<GitHub['within']>[0]) => GitHub][] =
    [
      [
        'of another repository, and then under another limit',
        (of, limit) => of.at(other).within(limit),
      ],
      [
        'under another limit, and then of another repository',
        (of, limit) => of.within(limit).at(other),
      ],
    ];

  it.each(ways)('%s, has both', async (_name, make) => {
    const first = await client(60_000);
    const { limit, end } = openLimit();
    const made = make(first, limit);
    expect([made.repository, made.where]).toEqual([other, { owner: 'acme', repo: 'other' }]);
    expect(made.signal).toBe(limit.signal);
    const ask = (by: GitHub) => by.rest.repos.get(by.where).catch((error: PhotonError) => error);
    await ask(made);
    expect(github.seen.map(s => s.path)).toEqual([`/repos/${other}`]);
    end.abort(new PhotonError('CANCELLED'));
    expect(await ask(made)).toMatchObject({ code: 'CANCELLED' });
    await ask(first);
    expect(github.seen.map(s => s.path)).toEqual([
      `/repos/${other}`,
      `/repos/${github.repository}`,
    ]);
    expect(first.repository).toBe(github.repository);
  });

  it('goes back to its repository under any limit', async () => {
    const first = await client(60_000);
    const back = first.at(other).within(openLimit().limit).at(github.repository);
    expect(back.where).toEqual(first.where);
    expect(first.within(openLimit().limit).repository).toBe(github.repository);
  });

  it('shares what it knows of its own comments with all that come from it', async () => {
    const first = await client(60_000);
    const made = first.at(other).within(openLimit().limit);
    expect(made.posted).toBe(first.posted);
  });
});
