import { describe, expect, it } from 'vitest';
import { findCallsInText, readCallsInText } from '../../../src/model/reading/calls-in-text.ts';
import type { ToolDefinition } from '../../../src/model/turn.ts';
import { applyPatch } from '../../../src/tools/apply-patch.ts';

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

describe('calls in a text are read', () => {
  const tools: readonly ToolDefinition[] = [
    {
      name: 'grep',
      description: '',
      parameters: {
        type: 'object',
        properties: { pattern: { type: 'string' }, offset: { type: 'integer' } },
        required: ['pattern'],
      },
    },
    { name: 'verify', description: '', parameters: { type: 'object', properties: {} } },
  ];
  const call = { id: 'call_1', name: 'grep', argumentsText: '{"pattern":"a < b","offset":5}' };
  const json = '{"name": "grep", "arguments": {"pattern":"a < b","offset":5}}';

  it.each([
    ['<tool_call>', `<tool_call>\n${json}\n</tool_call>`],
    [
      '<tool_call>',
      '<tool_call>grep\n<arg_key>pattern</arg_key>\n<arg_value>a < b</arg_value>\n<arg_key>offset</arg_key>\n<arg_value>5</arg_value>\n</tool_call>',
    ],
    [
      '<function=…>',
      '<tool_call>\n<function=grep>\n<parameter=pattern>\na < b\n</parameter>\n<parameter=offset>\n5\n</parameter>\n</function>\n</tool_call>',
    ],
    ['<function=…>', '<function=grep>{"pattern":"a < b","offset":5}</function>'],
    [
      'DSML',
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="grep">\n<｜DSML｜parameter name="pattern" string="true">a < b</｜DSML｜parameter>\n<｜DSML｜parameter name="offset" string="false">5</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    ],
    [
      '<|tool_call_begin|>',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.grep:0<|tool_call_argument_begin|>{"pattern":"a < b","offset":5}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    ['[TOOL_CALLS]', `[TOOL_CALLS][${json}]`],
    ['[TOOL_CALLS]', '[TOOL_CALLS]grep[ARGS]{"pattern":"a < b","offset":"5"}'],
    ['<|python_tag|>', `<|python_tag|>${json.replace('arguments', 'parameters')}`],
    [
      '<|channel|>',
      '<|channel|>commentary to=functions.grep <|constrain|>json<|message|>{"pattern":"a < b","offset":5}<|call|>',
    ],
    [
      '<invoke>',
      '<function_calls>\n<invoke name="grep">\n<parameter name="pattern">a < b</parameter>\n<parameter name="offset">5</parameter>\n</invoke>\n</function_calls>',
    ],
  ])('%s: %s', (form, text) => {
    expect(readCallsInText(`I look for it.\n${text}`, tools)).toEqual({
      text: 'I look for it.',
      // a number as JSON text is one that was read, and a number in tags is one as it was sent
      calls: [
        text.includes('"5"}') ? { ...call, sentText: '{"pattern":"a < b","offset":"5"}' } : call,
      ],
      readAs: [`grep${text.includes('"5"}') ? ' arguments' : ''} (${form} in text)`],
    });
  });

  it('a form of another agent in tags counts as one that was read', () => {
    const text =
      '<function=apply_patch><parameter=path>a.js</parameter><parameter=old_string>x</parameter><parameter=new_string>y</parameter></function>';
    expect(readCallsInText(text, [applyPatch.definition])).toMatchObject({
      calls: [
        {
          argumentsText: '{"files":[{"path":"a.js","edits":[{"old":"x","content":"y"}]}]}',
          sentText: '{"path":"a.js","old_string":"x","new_string":"y"}',
        },
      ],
      readAs: ['apply_patch arguments (<function=…> in text)'],
    });
  });

  it('several of them, one without arguments', () => {
    const text = `<tool_call>${json}</tool_call>\n<tool_call>{"name": "verify"}</tool_call>`;
    expect(readCallsInText(text, tools)).toBeUndefined();
    const two = '<function=verify></function>\n<function=verify>\n</function>';
    expect(readCallsInText(two, tools)?.calls).toMatchObject([
      { id: 'call_1', name: 'verify', argumentsText: '{}' },
      { id: 'call_2', name: 'verify', argumentsText: '{}' },
    ]);
  });

  it.each([
    ['a text without one', 'I look for it.'],
    ['a name that is no tool', '<tool_call>{"name": "launch", "arguments": {}}</tool_call>'],
    ['two forms', `<tool_call>${json}</tool_call>\n<function=verify></function>`],
    ['arguments that are cut', '<tool_call>{"name": "grep", "arguments": {"patt</tool_call>'],
    [
      'a value that holds the end of a value',
      '<function=grep>\n<parameter=pattern>\n</parameter> x\n</parameter>\n</function>',
    ],
    ['a call in a thought', `<think>I could <tool_call>${json}</tool_call>.</think>\nI wait.`],
    ['a call before a lone end of a thought', `Or <tool_call>${json}</tool_call>?\n</think>`],
  ])('not %s', (_name, text) => {
    expect(readCallsInText(text, tools)).toBeUndefined();
  });
});
