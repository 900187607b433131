/** A publication killed between any two of its requests; the next run completes it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../harness.ts';
import { sample } from '../../seed.ts';
import {
  type Arranged,
  arrange,
  expectNoHalf,
  expectWhole,
  publications,
  requestsOf,
} from './arrange-publication.ts';
import { carryOut, withContent } from './publication.ts';

/**
 * Starts the publication as a process and kills it when a request has arrived and is not carried out
 * yet, which is all that lies between two requests. False: it came to its end before.
 */
async function killAt({ github, publication }: Arranged, moment: number): Promise<boolean> {
  const first = github.seen.length;
  const argv = [join(root, 'test/hosts/github/publish-process.ts'), JSON.stringify(publication)];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  github.watch(({ index, stage }) => {
    if (stage !== 'before' || index - first !== moment) return undefined;
    child.kill('SIGKILL');
    return 'drop';
  });
  const [, signal] = await once(child, 'close');
  github.watch(() => undefined);
  return signal === 'SIGKILL';
}

async function killAnywhere(about: Parameters<typeof arrange>, least: number): Promise<void> {
  const [kind, earlier] = about;
  const { length: requests } = await requestsOf(...about);
  expect(requests).toBeGreaterThanOrEqual(least);
  const moments = [...Array(requests).keys()];
  for (const moment of sample(`kills of ${kind} ${earlier}`, moments, 1)) {
    const arranged = await arrange(...about);
    const heads = Object.values(arranged.github.store.refs());
    const where = `killed before request ${moment}`;
    try {
      expect(await killAt(arranged, moment)).toBe(true);
      expectNoHalf(arranged, heads);
      const next = await carryOut({ ...arranged.publication, run: 'next' });
      expect(next, where).toMatchObject({ delivered: { kind } });
      expectWhole(arranged);
    } catch (error) {
      throw new Error(`${where}: ${error}`, { cause: error });
    }
    await arranged.github.close();
  }
}

describe('a publication that is killed', () => {
  it.each(sample('publications killed', publications, 2))(
    'as %s (%s before) between any two requests is completed by the next run',
    async (kind, earlier) => {
      const least = { 'pull-request': 13, commit: 5, suggestions: 3 }[kind];
      await killAnywhere([kind, earlier], least);
    },
    600_000,
  );

  it('before its pull request is replaced by the next run, which has another patch', async () => {
    const about = ['pull-request', 'none'] as const;
    const asked = await requestsOf(...about);
    const opening = asked.findIndex(s => s.method === 'POST' && s.path.endsWith('/pulls'));
    const arranged = await arrange(...about);
    const { github, publication } = arranged;
    expect(await killAt(arranged, opening)).toBe(true);
    const left = github.store.refs()['refs/heads/photon/task-1'];
    expect(left).toBeDefined();
    const other = { ...withContent(github, publication, 'other\n'), run: 'next' };
    expect(await carryOut(other)).toMatchObject({ delivered: { operation: 'created' } });
    expectWhole(arranged);
    expectNoHalf({ github, publication: other }, [left ?? '']);
    await github.close();
  });
});
