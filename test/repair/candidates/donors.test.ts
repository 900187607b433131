/** Parts of other files of a project are candidates: similar code, imports, and the order of parameters. */
import { expect, it } from 'vitest';
import { openDonors } from '../../../src/repair/candidates/donors.ts';
import { applyTextEdits } from '../../../src/repair/candidates/edit.ts';
import type { RepairContext } from '../../../src/repair/runners/runner-context.ts';
import { candidatesIn, symbols } from './templates/repairs.ts';

/** The texts that candidates for one file of a project lead to. */
async function textsIn(
  files: Readonly<Record<string, string>>,
  path: string,
): Promise<readonly string[]> {
  const context = {
    files: async () => Object.keys(files),
    text: async (p: string) => files[p],
    mayChange: () => true,
    withTree: symbols.withTree,
  } as unknown as RepairContext;
  const donors = await openDonors(context)(path);
  const text = files[path] ?? '';
  return (await candidatesIn(path, text, { donors })).map(c => applyTextEdits(text, c.edits));
}

it('are similar expressions, with the names of the place', async () => {
  const files = {
    'src/a.js': 'export const key = name => name.trim();\n',
    'src/b.js': "export const id = text => text.trim().replaceAll(' ', '-');\n",
  };
  expect(await textsIn(files, 'src/a.js')).toContain(
    "export const key = name => name.trim().replaceAll(' ', '-');\n",
  );
});

it('are the imports of a name that the file does not know', async () => {
  const line = "import { clamp } from './clamp.js';";
  const files = {
    'src/a.js': 'export const f = n => clamp(n);\n',
    'src/b.js': `${line}\nexport const g = n => clamp(n, 1);\n`,
    'tools/c.py': 'from limits import clamp\n',
  };
  expect(await textsIn(files, 'src/a.js')).toContain(`${line}\n${files['src/a.js']}`);
});

it('are arguments in the order of the parameters of another file', async () => {
  const files = {
    'pkg/a.py': 'def f(end, start, step):\n    return between(step, end, start)\n',
    'pkg/b.py': 'def between(start, end, step):\n    return []\n',
  };
  expect(await textsIn(files, 'pkg/a.py')).toContain(
    'def f(end, start, step):\n    return between(start, end, step)\n',
  );
});
