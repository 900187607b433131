import { expect, it } from 'vitest';
import { withExperiments } from '../../../src/run/kinds/looking.ts';
import { tools } from '../../../src/tools/index.ts';

const names = (kept: readonly { readonly name: string }[]) => kept.map(({ name }) => name);

it('a command needs no skill where the task is a question, and a patch does', () => {
  const core = (kept: typeof tools) => names(kept.filter(t => t.core));
  expect(core(withExperiments(tools))).toEqual(
    names(tools.filter(t => t.core || t.name === 'run_command')),
  );
  expect(core(tools)).not.toContain('apply_patch');
});
