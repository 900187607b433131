/** The repairs that the template `shortcut` makes, in each language that it knows. */
import { expect, it } from 'vitest';
import { shortcut } from '../../../../src/repair/candidates/templates/shortcut.ts';
import { candidatesIn, js, playRepairs } from './repairs.ts';

playRepairs(shortcut, [
  ['js', '  n += 1;\n  return list[n];', '  n += 1;\n  return list[++n];'],
  ['js', '  return list[n++];', '  return list[++n];'],
]);

it('warns where it moves the counter of a loop', async () => {
  const risksOf = async (text: string) => {
    const made = await candidatesIn('a.js', text, { lines: new Map([[3, 1]]) });
    return made
      .filter(c => c.template.id === 'shortcut' && c.edits[0]?.text === 'n++')
      .map(c => c.risk);
  };
  expect(await risksOf(js('  for (; n < 9; n++) {\n    other(list[n]);\n  }'))).toEqual([
    expect.stringContaining('counter of the loop'),
  ]);
  expect(await risksOf(js('  n += 1;\n  other(list[n]);'))).toEqual(['']);
});
