/** Names of other agents' tools lead to the one that does the same here. */
import { expect, it } from 'vitest';
import { findMeant } from '../../src/skills/tool-aliases.ts';
import { tools } from '../../src/tools/index.ts';

it.each([
  ['read_file', 'read_code_block'],
  ['Read', 'read_code_block'],
  ['Edit', 'apply_patch'],
  ['str_replace_editor', 'apply_patch'],
  ['bash', 'run_command'],
  ['list_dir', 'list_project_files'],
])('%s is %s', (name, meant) => {
  expect(findMeant(name)).toBe(meant);
  expect(tools.map(t => t.name)).toContain(meant);
});

it('an unknown name leads nowhere', () => {
  expect(findMeant('delete_host_files')).toBeUndefined();
  expect(findMeant('constructor')).toBeUndefined();
});
