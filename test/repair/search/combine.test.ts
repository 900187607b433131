/** Candidates of several edits: one pattern in several places, and edits that each repair other failing cases. */
import { expect, it } from 'vitest';
import { applyTextEdits } from '../../../src/repair/candidates/edit.ts';
import { combinedEdits, repeatedEdits } from '../../../src/repair/search/combine.ts';
import { candidatesIn } from '../candidates/templates/repairs.ts';

it.each([
  [
    'a.js',
    'const f = (a, b) => [Math.min(a, 1), Math.min(b, 2), Math.min(a, b), Math.min(b, 3)];\n',
    'min',
    'max',
  ],
  [
    'a.py',
    'def f(a, b):\n    return [a.lstrip(), b.lstrip(), (a + b).lstrip()]\n',
    'lstrip',
    'strip',
  ],
])('repeat one edit in all places of %s', async (path, text, from, to) => {
  const made = await candidatesIn(path, text);
  const texts = [...repeatedEdits(made, new Map([[path, text]]))].map(c =>
    applyTextEdits(text, c.edits),
  );
  expect(texts).toContain(text.replaceAll(from, to));
});

it('join two and three edits if each repairs a case that the others do not', async () => {
  const text = 'const f = n => n + 2;\nconst g = n => n - 3;\nconst h = n => n * 4;\n';
  const made = await candidatesIn('a.js', text);
  const opposite: Readonly<Record<string, string>> = { '-': '+', '+': '-', '/': '*' };
  const one = (to: string, ...repairs: string[]) => {
    const candidate = made.find(
      c =>
        applyTextEdits(text, c.edits) ===
        text.replace(
          to.replace(/[-+/]/, now => opposite[now] ?? ''),
          to,
        ),
    );
    if (candidate === undefined) throw new Error(`no candidate for ${to}`);
    return { candidate, repairs: new Set(repairs) };
  };
  const [first, second, third] = [one('n - 2', 'a'), one('n + 3', 'b', 'c'), one('n / 4', 'c')];
  const joined = (...args: Parameters<typeof combinedEdits>) =>
    [...combinedEdits(...args)].map(c => applyTextEdits(text, c.edits));
  expect(joined([first, second, third], ['a', 'b', 'c'])).toEqual([
    'const f = n => n - 2;\nconst g = n => n + 3;\nconst h = n => n * 4;\n',
  ]);
  expect(joined([first, one('n + 3', 'b'), third], ['a', 'b', 'c'])).toEqual([
    'const f = n => n - 2;\nconst g = n => n + 3;\nconst h = n => n / 4;\n',
  ]);
  expect(joined([first, third], ['a', 'b', 'c'])).toEqual([]);
});
