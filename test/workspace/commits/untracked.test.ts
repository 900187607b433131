import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findChanged } from '../../../src/workspace/commits/untracked.ts';
import { discard, makeFolder } from '../../harness.ts';

const layer = makeFolder();
afterAll(() => discard(layer));

mkdirSync(join(layer, 'src/deep'), { recursive: true });
writeFileSync(join(layer, 'src/a.js'), '');
writeFileSync(join(layer, 'gone'), '');

it.each([
  [['src/a.js'], 'src/a.js'],
  [['src/b.js', 'src/deep/c.js', 'lib/d.js'], undefined],
  [['src/deep'], 'src/deep'],
  [['x', 'gone/below/e.js'], 'gone/below/e.js'],
])('of %j, the layer changes or hides %s', (paths, changed) => {
  expect(findChanged(layer, paths)).toBe(changed);
});
