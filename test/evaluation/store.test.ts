import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { evaluationFolder, hashKey, openEvaluationStore } from '../../src/evaluation/store.ts';
import { discard, makeFolder } from '../harness.ts';

const checkout = makeFolder();
mkdirSync(join(checkout, '.git'));
afterAll(() => discard(checkout));

it('what was written is read again, and git does not see it', () => {
  const store = openEvaluationStore(checkout);
  expect(store.read('tasks/a.json')).toBeUndefined();
  store.write('tasks/a.json', 'one');
  store.write('tasks/a.json', 'two');
  expect(openEvaluationStore(checkout).read('tasks/a.json')).toBe('two');
  expect(readFileSync(join(checkout, evaluationFolder, '.gitignore'), 'utf8')).toBe('*\n');
});

it('a key depends on each of its values', () => {
  expect(hashKey('a', 1)).toMatch(/^[0-9a-f]{20}$/);
  expect(hashKey('a', 1)).toBe(hashKey('a', 1));
  expect(new Set([hashKey('a', 1), hashKey('a', 2), hashKey('a1'), hashKey(['a', 1])]).size).toBe(
    4,
  );
});
