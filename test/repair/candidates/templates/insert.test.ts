/** The repairs that the template `insert` makes, in each language that it knows. */
import { describe, expect, it } from 'vitest';
import { applyTextEdits } from '../../../../src/repair/candidates/edit.ts';
import { insert } from '../../../../src/repair/candidates/templates/insert.ts';
import { candidatesIn, js, playRepairs } from './repairs.ts';

playRepairs(insert, [
  ['js', '  n();\n  list();\n  other();', '  n();\n  list();\n  n();\n  other();'],
]);

describe('templates', () => {
  it('insert nothing that leaves a block in front of its other statements, and mark a second throw', async () => {
    const text = js("  if (n) {\n    other = 1;\n  }\n  if (other) throw new Error('x');");
    const inserted = (await candidatesIn('a.js', text))
      .filter(c => c.template.id === 'insert')
      .map(c => ({ text: applyTextEdits(text, c.edits), risk: c.risk }))
      .filter(c => c.text.split('throw').length > 2);
    expect(inserted.filter(c => /throw[^\n]*\n\s*other = 1/.test(c.text))).toEqual([]);
    expect(inserted.map(c => c.risk)).toContainEqual(expect.stringContaining('it throws'));
    expect(inserted.filter(c => c.risk === '')).toEqual([]);
  });
});
