import { expect, it } from 'vitest';
import { looking, withExperiments, withoutRecording } from '../../../src/run/kinds/looking.ts';
import { tools } from '../../../src/tools/index.ts';

const names = (kept: readonly { readonly name: string }[]) => kept.map(({ name }) => name);
const changing = ['apply_patch', 'patch', 'run_command', 'syntax_check', 'undo', 'verify'];
const recording = ['record_add', 'record_issue', 'record_update'];

it('a run that only looks has no tool that changes, runs or verifies anything', () => {
  const left = names(looking.tools(tools));
  expect(
    names(tools)
      .filter(name => !left.includes(name))
      .sort(),
  ).toEqual(
    names(tools)
      .filter(name => changing.includes(name))
      .sort(),
  );
  expect(left).toEqual(expect.arrayContaining(['grep', 'read_code_block', 'finish']));
});

it('a run that answers or reviews writes no records either, and can search them', () => {
  const left = names(withoutRecording(tools));
  expect(left.filter(name => recording.includes(name))).toEqual([]);
  expect(left).toContain('record_search');
});

it('a command needs no skill where the task is a question, and a patch does', () => {
  const core = (kept: typeof tools) => names(kept.filter(t => t.core));
  expect(core(withExperiments(tools))).toEqual(
    names(tools.filter(t => t.core || t.name === 'run_command')),
  );
  expect(core(tools)).not.toContain('apply_patch');
});
