/** A shop whose total forgets the count of an item, and a model that replaces lines of it. */
import type { ScriptedTurn } from './model.ts';
import { activate, call, planOf, readLines, turnOf } from './steps.ts';

const shop = `/** The price of an order. */
export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

/** True for a free delivery. */
export function shipsFree(sum) {
  return sum > 50;
}

export function label(sum) {
  return 'sum: ' + sum;
}
`;

/** A test that fails until the count is multiplied, and one that passes. */
export const shopTests = `import assert from 'node:assert/strict';
import test from 'node:test';
import { shipsFree, total } from '../src/shop.js';
test('counts each piece', () => {
  assert.equal(total([{ price: 10, count: 3 }]), 30);
});
test('a small order pays for its delivery', () => {
  assert.equal(shipsFree(10), false);
});
`;

export const shopFiles = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'src/shop.js': shop,
  'test/shop.test.js': shopTests,
  'test/price.test.js': '// the sample has another test here\n',
};

export const shopTask = 'total in src/shop.js forgets the count. Make the failing test pass.';

/** The new text of a line. */
export interface LineEdit {
  readonly path: string;
  readonly line: number;
  readonly content: string;
}

export const edit = (line: number, content: string, path = 'src/shop.js'): LineEdit => ({
  path,
  line,
  content,
});

/** The edit that the tests ask for. */
export const rightEdit = edit(
  3,
  '  return items.reduce((sum, item) => sum + item.price * item.count, 0);',
);

/** A call that makes these edits. */
export const patchOf = (edits: readonly LineEdit[]) =>
  call('apply_patch', {
    files: [...Map.groupBy(edits, e => e.path)].map(([path, own]) => ({
      path,
      edits: own.map(({ line, content }) => ({ start_line: line, end_line: line, content })),
    })),
  });

/** A model that makes the edits, verifies and ends. */
export function editScript(edits: readonly LineEdit[]): readonly ScriptedTurn[] {
  const paths = [...new Set(edits.map(e => e.path))];
  return [
    turnOf(
      'The skill and the plan come first.',
      activate('code-modify'),
      planOf(paths, 10, 'total'),
    ),
    turnOf(
      'Now the places.',
      call('grep', { pattern: 'total' }),
      ...paths.map(path => readLines(path, 1, 14)),
    ),
    turnOf('The count was forgotten.', patchOf(edits)),
    turnOf('The tests decide.', call('verify', {})),
    turnOf('They pass.', call('finish', { reason: 'the tests pass' })),
  ];
}
