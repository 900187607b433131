/** Plays the table of attacks through the built Action or the command line; a canary shows whether one worked. */
import { afterAll, describe, expect, it } from 'vitest';
import { pathWithout } from '../doubles/search-path.ts';
import { discard, makeFolder } from '../harness.ts';
import { has, needs } from '../programs.ts';
import { isAll, randomOf, sample } from '../seed.ts';
import type { Attack, Setup } from './attack.ts';
import { attacks, benign } from './table.ts';
import { findHole } from './wall.ts';

type Launcher = Setup['launcher'];

const launchersOf = ({ id, launchers }: Attack): readonly Launcher[] => {
  const both = ['bubblewrap', 'namespaces'] as const;
  if (isAll || launchers === 'both') return both;
  return [both[Math.floor(randomOf(`launcher of ${id}`)() * 2)] ?? 'bubblewrap'];
};

/** How many files share the table, so that as many processes do; each looks for holes of its own. */
const files = isAll ? 4 : 1;

/** Every fourth row of each kind, from this one on. */
export function playAttacks(part: number): void {
  if (part >= files) {
    it.skip('shares the table in a complete run', () => {});
    return;
  }
  const mine = <T>(rows: readonly T[]) => rows.filter((_, i) => i % files === part);
  const shared = makeFolder();
  afterAll(() => discard(shared));

  /** Runs in a separate folder, because an attack can leave unreadable files. */
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

  const holes = new Map<Launcher, Promise<string | undefined>>();
  const holeOf = (launcher: Launcher) => {
    const known = holes.get(launcher) ?? inFolder(launcher, findHole);
    holes.set(launcher, known);
    return known;
  };

  describe('an attack gets nothing', () => {
    const played = mine(sample('attacks', attacks, 8)).flatMap(attack =>
      launchersOf(attack).map(launcher => ({ attack, launcher })),
    );
    for (const { attack, launcher } of played) {
      const title = `${attack.id}, ${launcher}`;
      const isThere = launcher !== 'bubblewrap' || has('bwrap');
      it.runIf(isThere)(isThere ? title : `${title} ${needs('bwrap')}`, async ({ skip }) => {
        const hole = await holeOf(launcher);
        skip(hole !== undefined, `no hostile command starts without a wall: ${hole}`);
        const found = await inFolder(launcher, attack.play);
        expect(found.got, attack.attack).toBeUndefined();
        expect(attack.codes, attack.attack).toContain(found.code);
      });
    }
  });

  // a sample may leave none of these to a file, and a group without tests fails
  const controls = attacks.filter(a => a.control);
  for (const attack of mine(sample('controls', controls, 2)))
    it(`without isolation, the canary shows that ${attack.id} works`, async () => {
      expect((await inFolder('plain', attack.play)).got).not.toBeUndefined();
    });

  for (const each of mine(sample('benign', benign, 5)))
    it(`ordinary work is not refused: ${each.id}`, async () => {
      expect(await inFolder('bubblewrap', each.play)).toBeUndefined();
    });
}
