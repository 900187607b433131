/** Every attack of the table through the built Action or the command line, with a canary that shows whether it worked. */
import { afterAll, describe, expect, it } from 'vitest';
import { pathWithout } from '../doubles/search-path.ts';
import { discard, makeFolder } from '../harness.ts';
import { has, needs } from '../programs.ts';
import { isAll, randomOf, sample } from '../seed.ts';
import type { Attack, Setup } from './attack.ts';
import { attacks, benign } from './table.ts';

const shared = makeFolder();
afterAll(() => discard(shared));

type Launcher = Setup['launcher'];

/** In a folder of its own, since an attack may leave what cannot be read. */
async function inFolder<T>(launcher: Launcher, work: (setup: Setup) => Promise<T>): Promise<T> {
  const folder = makeFolder();
  const searchPath =
    launcher === 'namespaces' ? pathWithout(shared, 'bwrap') : (process.env.PATH ?? '');
  try {
    return await work({ launcher, searchPath, folder });
  } finally {
    discard(folder);
  }
}

const launchersOf = ({ id, launchers }: Attack): readonly Launcher[] => {
  const both = ['bubblewrap', 'namespaces'] as const;
  if (isAll || launchers === 'both') return both;
  return [both[Math.floor(randomOf(`launcher of ${id}`)() * 2)] ?? 'bubblewrap'];
};

const played = sample('attacks', attacks, 12).flatMap(attack =>
  launchersOf(attack).map(launcher => ({ attack, launcher })),
);

describe('an attack gets nothing', () => {
  for (const { attack, launcher } of played) {
    const title = `${attack.id}, ${launcher}`;
    const isThere = launcher !== 'bubblewrap' || has('bwrap');
    it.runIf(isThere)(isThere ? title : `${title} ${needs('bwrap')}`, async () => {
      const found = await inFolder(launcher, attack.play);
      expect(found.got, attack.attack).toBeNull();
      expect(attack.codes, attack.attack).toContain(found.code);
    });
  }
});

describe('without walls, the canary shows that it worked', () => {
  it.each(
    sample(
      'controls',
      attacks.filter(a => a.control),
      4,
    ).map(a => [a.id, a] as const),
  )('%s', async (_id, attack) => {
    expect((await inFolder('plain', attack.play)).got).not.toBeNull();
  });
});

describe('what people do every day is not refused', () => {
  it.each(sample('benign', benign, 6).map(b => [b.id, b] as const))('%s', async (_id, each) => {
    expect(await inFolder('bubblewrap', each.play)).toBeNull();
  });
});

it('the table: each id once, and enough of both kinds', () => {
  const ids = [...attacks, ...benign].map(a => a.id);
  expect(new Set(ids).size).toBe(ids.length);
});
