/** The repairs that the templates of operators make, in each language that they know. */
import { expect, it } from 'vitest';
import {
  arithmetic,
  comparison,
  connective,
} from '../../../../src/repair/candidates/templates/operators.ts';
import { js, playRepairs, py, textsOf } from './repairs.ts';

playRepairs(comparison, [
  ['js', '  return n < other;', '  return n <= other;'],
  ['py', '    return n in items', '    return n not in items'],
  ['a.ts', 'export const f = (n: number) => n > 1;\n', 'export const f = (n: number) => n >= 1;\n'],
]);

playRepairs(connective, [
  ['js', '  return n && other;', '  return n || other;'],
  ['py', '    return n and other', '    return n or other'],
]);

playRepairs(arithmetic, [
  ['js', '  n += 1;', '  n -= 1;'],
  ['py', '    return n / other', '    return n // other'],
  ['js', '  return n - 7;', '  return n % 7;'],
  ['py', '    return n % 7', '    return n // 7'],
]);

it('puts no order of texts in place of a test for one', async () => {
  for (const operator of ['==', '===', '!=', '!=='])
    for (const made of await textsOf('a.js', js(`  return n ${operator} '*';`), comparison.id))
      expect(made).not.toMatch(/[<>]/);
  expect(await textsOf('a.py', py("    return n == '*'"), comparison.id)).toContain(
    py("    return n != '*'"),
  );
});
