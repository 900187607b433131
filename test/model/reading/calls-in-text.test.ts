import { describe, expect, it } from 'vitest';
import { findCallsInText } from '../../../src/model/reading/calls-in-text.ts';

const find = (text: string) => findCallsInText(text, [{ name: 'grep' }]);

describe('calls in a text', () => {
  it.each([
    ['<tool_call>\n{"name": "grep", "arguments": {}}\n</tool_call>', '<tool_call>'],
    ['<tool_call>grep\n<arg_key>pattern</arg_key>', '<tool_call>'],
    ['<function=grep>\n<parameter=pattern>x</parameter>\n</function>', '<function=…>'],
    ['<｜DSML｜tool_calls>\n<｜DSML｜invoke name="grep">', 'DSML'],
    ['<｜｜DSML｜｜function_calls>', 'DSML'],
    ['<‖DSML‖invoke name="grep">', 'DSML'],
    ['<|tool_calls_section_begin|><|tool_call_begin|>functions.grep:0', '<|tool_call_begin|>'],
    ['[TOOL_CALLS][{"name": "grep"}]', '[TOOL_CALLS]'],
    ['<|python_tag|>{"name": "grep"}', '<|python_tag|>'],
    ['<|channel|>commentary to=functions.grep', '<|channel|>'],
    ['<function_calls><invoke name="grep">', '<invoke>'],
    ['{"name": "grep", "parameters": {"pattern": "x"}}', 'JSON'],
    ['```json\n{"name": "grep", "arguments": {}}\n```', 'JSON'],
  ])('%s', (text, form) => {
    expect(find(text)).toBe(form);
  });

  it.each([
    'I call grep next.',
    '{"name": "other", "arguments": {}}',
    '{"name": "grep"}',
    'The file holds <tool_call> as a word.',
    '{"name": "grep", "arguments": {',
  ])('none in %s', text => {
    expect(find(text)).toBeUndefined();
  });
});
