/** Requests that get no answer: each try has its time, and a run's time binds all of them. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../src/base/codes.ts';
import type { Passing } from '../../doubles/github.ts';
import { sample } from '../../seed.ts';
import {
  type Arranged,
  arrange,
  expectNoHalf,
  expectWhole,
  publications,
  requestsOf,
} from './arrange-publication.ts';
import { carryOut } from './publication.ts';

const never = new Promise<undefined>(() => {});

/** No answer to one request; `then` is called as it would have been given. */
function stall(
  { github }: Arranged,
  { moment, stage }: { readonly moment: number; readonly stage: Passing['stage'] },
  then: () => void = () => {},
): void {
  const at = github.seen.length + moment;
  github.watch(request => {
    if (request.index !== at || request.stage !== stage) return undefined;
    then();
    return never;
  });
}

async function casesOf(about: Parameters<typeof arrange>) {
  const asked = await requestsOf(...about);
  const cases = asked.flatMap(({ method, path }, moment) =>
    (['before', 'after'] as const).map(stage => ({ moment, stage, method, path })),
  );
  return sample(`stalls of ${about.join(' ')}`, cases, 1, 12);
}

describe('a publication', () => {
  it.each(sample('publications stalled', publications, 2))(
    'as %s (%s before) is whole when one request stalls',
    async (kind, earlier) => {
      const about: Parameters<typeof arrange> = [kind, earlier];
      for (const { method, path, ...at } of await casesOf(about)) {
        const arranged = await arrange(...about);
        stall(arranged, at);
        const ended = await carryOut(
          { ...arranged.publication, run: 'next' },
          // an answer on a busy machine may take seconds
          { requestTimeoutMs: 6_000 },
        ).catch(error => error);
        expect(ended, `${at.stage} ${method} ${path}`).toMatchObject({ delivered: { kind } });
        expectWhole(arranged);
        await arranged.github.close();
      }
    },
  );

  it.each(sample('publications stalled', publications, 2))(
    'as %s (%s before) is whole or put back when the time is up at one request, and the next run finds nothing in its way',
    async (kind, earlier) => {
      const about: Parameters<typeof arrange> = [kind, earlier];
      for (const { method, path, ...at } of await casesOf(about)) {
        const arranged = await arrange(...about);
        const { github, publication } = arranged;
        const before = Object.values(github.store.refs());
        const time = new AbortController();
        stall(arranged, at, () => time.abort(new PhotonError('BUDGET_TIME')));
        const ended = await carryOut(
          { ...publication, run: 'next' },
          { signal: time.signal },
        ).catch(error => error);
        const where = `${at.stage} ${method} ${path}`;
        if (ended instanceof Error) expect(ended, where).toMatchObject({ code: 'BUDGET_TIME' });
        else expect(ended, where).toMatchObject({ delivered: { kind } });
        expectNoHalf(arranged, before);
        // of a run that was cut short, GitHub knows nothing that would stop the next
        github.watch(() => undefined);
        const next = await carryOut({ ...publication, run: 'after', ...headNow(arranged) });
        expect(next, where).toMatchObject({ delivered: { kind } });
        await github.close();
      }
    },
  );
});

/** What a later run has checked out: a commit that arrived is its base. */
function headNow({ github, publication }: Arranged) {
  if (publication.kind !== 'commit') return {};
  const baseCommit = github.store.git(['rev-parse', 'feature']);
  return { baseCommit, baseTree: github.store.git(['rev-parse', `${baseCommit}^{tree}`]) };
}
