import { symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { coveredPaths } from '../../src/sandbox/covered-paths.ts';
import { useTestFolder } from '../doubles/test-folder.ts';

const { at, make, write } = useTestFolder();

it('the probe does not look for paths that a link of the machine shows under another name', () => {
  write('disk/home/.rustup/tool');
  write('disk/home/.ssh/key');
  symlinkSync('disk', at('link'));
  const machine = {
    workspacePath: make('ws'),
    home: at('disk/home'),
    hidden: [],
    parts: [{ at: at('disk/home/.rustup'), from: at('disk/home/.rustup') }],
  } as never;
  const covered = coveredPaths(machine, [at('link/home')]).filter(p => p.startsWith(at()));
  expect(covered).toEqual(expect.arrayContaining([at('link/home/.ssh'), at('disk/home/.ssh')]));
  expect(covered.join()).not.toContain('.rustup');
});
