import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeFolders, systemFolders } from '../../src/sandbox/readable-lists.ts';
import { root } from '../harness.ts';

it('docs/sandbox.md lists everything that commands can read', () => {
  const page = readFileSync(join(root, 'docs', 'sandbox.md'), 'utf8');
  const missing = [...systemFolders, ...homeFolders.map(name => `~/${name}`)].filter(
    name => !page.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});
