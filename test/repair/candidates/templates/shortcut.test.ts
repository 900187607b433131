/** The repairs that the template `shortcut` makes, in each language that it knows. */
import { expect, it } from 'vitest';
import { listCandidates } from '../../../../src/repair/candidates/candidates.ts';
import { shortcut } from '../../../../src/repair/candidates/templates/shortcut.ts';
import { js, playRepairs, symbols } from './repairs.ts';

playRepairs(shortcut, [
  ['a.js', js('  n += 1;\n  return list[n];'), js('  n += 1;\n  return list[++n];')],
  ['a.js', js('  return list[n++];'), js('  return list[++n];')],
]);

it('warns where it moves the counter of a loop', async () => {
  const risksOf = async (text: string) => {
    const lines = new Map([[3, 1]]);
    const made = await symbols.withTree('a.js', text, root =>
      listCandidates({ path: 'a.js', text, lines }, root),
    );
    const own = made?.filter(c => c.template.id === 'shortcut' && c.edits[0]?.text === 'n++');
    return own?.map(c => c.risk);
  };
  expect(await risksOf(js('  for (; n < 9; n++) {\n    other(list[n]);\n  }'))).toEqual([
    expect.stringContaining('counter of the loop'),
  ]);
  expect(await risksOf(js('  n += 1;\n  other(list[n]);'))).toEqual(['']);
});
