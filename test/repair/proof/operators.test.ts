/** The changes that the proof makes of a line, in each language that has them. */
import { expect, it } from 'vitest';
import { applyTextEdits } from '../../../src/repair/candidates/edit.ts';
import { listMutants } from '../../../src/repair/proof/mutants.ts';
import { operators } from '../../../src/repair/proof/operators.ts';
import { js, py, symbols } from '../candidates/templates/repairs.ts';

/** The only line of a body after each change of it. Two kinds may make the same one. */
async function changesOf(place: 'js' | 'py', line: string) {
  const body = place === 'js' ? `  ${line}` : `    ${line}`;
  const text = { js, py }[place](body);
  const source = { path: `a.${place}`, text, lines: new Map([[2, 1]]) };
  const made = await symbols.withTree(source.path, text, root => listMutants(source, root));
  return (made ?? []).map(c => applyTextEdits(text, c.edits).split('\n')[1]?.trim());
}

it.each([
  ['js', 'return n - other;', 'return other - n;'],
  ['js', 'return n - other * 2;', 'return (n - other) * 2;'],
  ['py', 'return n + other', 'return n'],
  ['js', 'return n;', 'return other;'],
  ['py', 'return items', 'return None'],
  ['js', 'return Math.round(n);', 'return n;'],
  ['js', 'return list.slice(1, n);', 'return list.slice(1);'],
  ['py', 'return items[1:n]', 'return items[1:n - 1]'],
  ['js', 'return n * 10;', 'return n * 100;'],
  ['js', 'return true;', 'return false;'],
  ['py', 'return []', 'return {}'],
  ['js', 'return n && other;', 'return n || other;'],
  ['py', 'return not n', 'return n'],
  ['js', 'return n < other;', 'return n <= other;'],
  ['js', 'return n;', 'return n + 1;'],
  ['js', 'return n + other;', 'return n - other;'],
  ['js', 'return n;', 'return list;'],
] as const)('in %s, "%s" is changed to "%s"', async (place, line, changed) => {
  expect(await changesOf(place, line)).toContain(changed);
});

it('tries what changes a value or a decision in place', () => {
  expect(operators.map(o => o.id)).toEqual(
    'comparison off-by-one connective arithmetic negation constant variable call-name operand return-value unwrap-call slice'.split(
      ' ',
    ),
  );
});
