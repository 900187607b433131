/** The repairs that the template `comparison` makes, in each language that it knows. */
import { expect, it } from 'vitest';
import { comparison } from '../../../../src/repair/candidates/templates/comparison.ts';
import { js, playRepairs, py, textsOf } from './repairs.ts';

playRepairs(comparison, [
  ['js', '  return n < other;', '  return n <= other;'],
  ['py', '    return n in items', '    return n not in items'],
  ['a.ts', 'export const f = (n: number) => n > 1;\n', 'export const f = (n: number) => n >= 1;\n'],
  [
    'go',
    '\tif n < other {\n\t\treturn 1\n\t}\n\treturn 0',
    '\tif n <= other {\n\t\treturn 1\n\t}\n\treturn 0',
  ],
]);

it('puts no order of texts in place of a test for one', async () => {
  for (const operator of ['==', '===', '!=', '!=='])
    for (const made of await textsOf('a.js', js(`  return n ${operator} '*';`), comparison.id))
      expect(made).not.toMatch(/[<>]/);
  expect(await textsOf('a.py', py("    return n == '*'"), comparison.id)).toContain(
    py("    return n != '*'"),
  );
});
