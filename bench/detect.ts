/** Measures how often detection finds the test command of a project: `npm run bench -- detect`. */

import { testKeys } from '../src/ecosystems/commands/ci-tests.ts';
import { detectAll, detectionTable } from '../src/ecosystems/commands/detect.ts';
import { layouts } from '../test/layouts/index.ts';
import { filesOf, type Layout } from '../test/layouts/layout.ts';
import { row } from './figures.ts';

type Verdict = 'right' | 'usable' | 'nothing' | 'wrong';

/** `usable`: other words that run the same tests. `nothing`: no command where there is one, which a person is told. */
async function judge({ tool, test, files }: Layout): Promise<readonly [Verdict, string]> {
  const project = filesOf(files);
  const command = (await detectAll(project)).chosen?.command ?? '';
  if (command === test) return ['right', command];
  if (command === '') return ['nothing', command];
  if (tool === undefined) return ['wrong', command];
  const keys = await testKeys(test, '', project);
  const found = await testKeys(command, '', project);
  return [found.some(key => keys.includes(key)) ? 'usable' : 'wrong', command];
}

/** Prints the shares over all layouts, and what is not right. */
export async function benchDetect(): Promise<void> {
  const ecosystems = new Map(detectionTable.map(({ tool, ecosystem }) => [tool, ecosystem]));
  const judged = await Promise.all(layouts.map(async l => [l, ...(await judge(l))] as const));
  const seen = new Set(
    layouts.flatMap(({ tool }) => ecosystems.get(tool?.split(',')[0] ?? '') ?? []),
  );
  row('layouts of projects, and their ecosystems', `${judged.length}, ${seen.size}`, '');
  for (const verdict of ['right', 'usable', 'nothing', 'wrong'] as const) {
    const all = judged.filter(([, found]) => found === verdict);
    const share = ((100 * all.length) / judged.length).toFixed(1);
    row(`test commands that are ${verdict}`, `${share} % (${all.length})`, '');
    if (verdict !== 'right')
      for (const [{ name, test }, , command] of all) row(`  ${name}`, command || '-', test || '-');
  }
}
