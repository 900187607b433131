import { readdirSync, statSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Guarantee } from '../../../src/base/outcome.ts';
import { findPrograms } from '../../../src/process/programs.ts';
import { plain } from '../../../src/sandbox/launchers/plain.ts';
import { probeGuarantees } from '../../../src/sandbox/probe/probe.ts';
import { useTestFolder } from '../../doubles/test-folder.ts';

const { at, make, write } = useTestFolder();

/** Probes the launcher without a sandbox. */
async function probePlain(
  wanted: Partial<Parameters<typeof probeGuarantees>[0]>,
): Promise<readonly Guarantee[]> {
  const scratch = make('run/scratch');
  const programs = findPrograms(process.env.PATH ?? '', []);
  const machine = { env: { PATH: process.env.PATH ?? '' } } as never;
  const view = { path: scratch, enter: [], folders: [] };
  const probed = await probeGuarantees({
    scratch,
    token: `reads${process.pid}`,
    writeTargets: [],
    guardedTargets: [],
    coveredPaths: [],
    launch: (argv: readonly string[]) =>
      plain(programs).launch(machine, { argv, view, cwd: '.', network: false }),
    node: process.execPath,
    sh: programs.paths.sh ?? '',
    ps: undefined,
    endsProcesses: false,
    ...wanted,
  });
  return probed.answered ? probed.guarantees : [];
}

it('the probe finds what a launcher without a sandbox shows', async () => {
  const covered = write('home/.ssh/key');
  const held = async (coveredPaths: readonly string[]) =>
    (await probePlain({ coveredPaths })).find(g => g.name === 'reads')?.holds;
  expect(await held([covered])).toBe(false);
  expect(await held([at('nothing')])).toBe(true);
});

it('the probe tries the folders of the user, and only when the other folders refused its writes', async () => {
  const [checkout, other] = [make('checkout'), make('other')];
  const before = new Date(0);
  utimesSync(checkout, before, before);
  const probed = async (writeTargets: readonly string[]) => {
    const found = await probePlain({ writeTargets, guardedTargets: [checkout] });
    expect(found.find(g => g.name === 'writes')?.holds).toBe(false);
    expect(readdirSync(checkout)).toEqual([]);
    return statSync(checkout).mtimeMs > 0;
  };
  expect(await probed([other]), 'a write there').toBe(false);
  expect(await probed([]), 'a write there').toBe(true);
});
