import { describe, expect, it } from 'vitest';
import { readCall } from '../../../src/model/reading/read-call.ts';

const tool = (name: string, aliases: readonly string[] = []) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: { n: { type: 'integer' } } },
  aliases,
});
const tools = [tool('grep', ['search_text']), tool('read_code_block'), tool('plan')];
const read = (name: string, argumentsText = '{}') =>
  readCall({ id: 'a', name, argumentsText }, tools);

describe('the name of a call', () => {
  it.each([
    // vllm-project/vllm#32587
    ['grep<|channel|>commentary', 'grep'],
    ['functions.grep', 'grep'],
    ['functions.read_code_block:0', 'read_code_block'],
    ['default_api:grep', 'grep'],
    ['tools/plan', 'plan'],
    ['readCodeBlock', 'read_code_block'],
    ['Read-Code-Block', 'read_code_block'],
    ['functions.search_text', 'search_text'],
    ['functions_grep', 'grep'],
    ['mcp__photon__plan', 'plan'],
  ])('%s means %s', (name, meant) => {
    expect(read(name)).toEqual({
      call: { id: 'a', name: meant, argumentsText: '{}' },
      repaired: ['name'],
    });
  });

  it.each([
    ['grep', 'grep'],
    ['grep.plan', 'unknown'],
    ['no_such_tool', 'no_such_tool'],
    ['functions.no_such_tool', 'unknown'],
    ['update_plan', 'update_plan'],
    ['', 'unknown'],
    [`${'x.'.repeat(200)}grep`, 'unknown'],
  ])('%s becomes %s, and nothing is repaired', (name, sent) => {
    expect(read(name)).toMatchObject({ call: { name: sent }, repaired: [] });
  });

  it('is told apart from arguments that are read', () => {
    expect(read('functions.grep', '{"n":"4"}')).toEqual({
      call: { id: 'a', name: 'grep', argumentsText: '{"n":4}' },
      repaired: ['name', 'arguments'],
    });
    expect(read('no_such_tool', '{"n":"4"}').call.argumentsText).toBe('{"n":"4"}');
  });
});
