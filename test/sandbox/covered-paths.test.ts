import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { coveredPaths } from '../../src/sandbox/covered-paths.ts';
import { discard, makeFolder } from '../harness.ts';

const folders: string[] = [];
afterAll(() => folders.forEach(discard));

let folder: string;
beforeEach(() => {
  folder = makeFolder();
  folders.push(folder);
});

const at = (...path: string[]) => join(folder, ...path);

function make(...path: string[]): string {
  mkdirSync(at(...path), { recursive: true });
  return at(...path);
}

function write(...path: string[]): string {
  mkdirSync(dirname(at(...path)), { recursive: true });
  writeFileSync(at(...path), 'x');
  return at(...path);
}

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
  const covered = coveredPaths(machine, [at('link/home')]).filter(p => p.startsWith(folder));
  expect(covered).toEqual(expect.arrayContaining([at('link/home/.ssh'), at('disk/home/.ssh')]));
  expect(covered.join()).not.toContain('.rustup');
});
