/** The list of what attacks plant is the only one, and what is on it is found, named and removed. */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { discard, makeFolder, root } from './harness.ts';
import { plantedAt, removePlanted } from './planted.ts';

it('what was planted is named and removed, and nothing else', () => {
  const folder = makeFolder();
  try {
    const [file = '', tree = '', own = ''] = ['photon-planted-a', 'photon-planted-b', 'own'].map(
      n => join(folder, n),
    );
    for (const path of [file, own]) writeFileSync(path, 'x');
    mkdirSync(join(tree, 'deep'), { recursive: true });
    expect(removePlanted([folder, join(folder, 'missing')])).toEqual([
      `${file} (removed)`,
      `${tree} (removed)`,
    ]);
    expect([file, tree, own].map(path => existsSync(path))).toEqual([false, false, true]);
  } finally {
    discard(folder);
  }
});

it('every file that a test tries to leave on the machine has a path of the list', () => {
  const own = /(?<![\w~.])\/(?:etc|usr|dev|dev\/shm|tmp|var\/tmp)\/photon-(?!planted-)[\w.-]+/g;
  expect('echo x > /etc/photon-new'.match(own)).toEqual(['/etc/photon-new']);
  const paths = globSync('test/**/*.ts', { cwd: root }).filter(p => !p.endsWith('planted.test.ts'));
  const found = paths.flatMap(path => readFileSync(join(root, path), 'utf8').match(own) ?? []);
  expect(found).toEqual([]);
  expect(plantedAt('/dev/shm', 'x')).toBe('/dev/shm/photon-planted-x');
});
