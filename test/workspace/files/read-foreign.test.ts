import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findNewest } from '../../../src/workspace/files/read-foreign.ts';
import { discard, makeFolder } from '../../harness.ts';

const root = makeFolder();
afterAll(() => discard(root));

function put(folder: string, seconds: number): void {
  mkdirSync(join(root, folder), { recursive: true });
  const path = join(root, folder, 'outcome.json');
  writeFileSync(path, '{}');
  utimesSync(path, seconds, seconds);
}

it('is the folder of the newest file, three folders deep, outside of packages', () => {
  expect(findNewest(root, 'outcome.json')).toBeUndefined();
  put('runs/old', 1_000);
  put('runs/new', 2_000);
  put('node_modules/x', 3_000);
  put('.git', 3_000);
  put('a/b/c/d', 3_000);
  expect(findNewest(root, 'outcome.json')).toBe('runs/new');
  put('a/b/c', 4_000);
  expect(findNewest(root, 'outcome.json')).toBe('a/b/c');
});

it('is none in a folder that does not exist', () => {
  expect(findNewest(join(root, 'missing'), 'outcome.json')).toBeUndefined();
});
