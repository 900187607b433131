import { describe, expect, it } from 'vitest';
import { readArguments, readCall } from '../../../src/model/reading/read-call.ts';

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
    ['tools/plan', 'plan'],
    ['readCodeBlock', 'read_code_block'],
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
      call: { id: 'a', name: 'grep', argumentsText: '{"n":4}', sentText: '{"n":"4"}' },
      repaired: ['name', 'arguments'],
    });
    expect(read('no_such_tool', '{"n":"4"}').call.argumentsText).toBe('{"n":"4"}');
  });
});

const plan = {
  parameters: {
    type: 'object',
    properties: {
      scope: { type: 'string' },
      files: { type: 'array', items: { type: 'string' } },
      lines: { type: 'integer' },
      dry: { type: 'boolean' },
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: { at: { type: 'integer' }, content: { type: 'string' } },
          required: ['at'],
        },
      },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      kind: { type: 'string', enum: ['a', 'b'] },
    },
    required: ['scope'],
  },
  accepts: { reason: { type: 'string' }, path: { type: 'string' }, count: { type: 'integer' } },
};
const readPlan = (args: unknown) =>
  readArguments(typeof args === 'string' ? args : JSON.stringify(args), plan);
const asRead = (args: unknown) => JSON.parse(readPlan(args) ?? 'null');

describe('arguments that mean one thing', () => {
  it.each([
    // antirez/ds4#569: GLM quotes every value
    ['a number in a text', { scope: 'x', lines: '5' }, { scope: 'x', lines: 5 }],
    ['a list in a text', { scope: 'x', files: '["a","b"]' }, { scope: 'x', files: ['a', 'b'] }],
    [
      'objects in a text, with a number in a text',
      { scope: 'x', edits: '[{"at":"3","content":"7"}]' },
      { scope: 'x', edits: [{ at: 3, content: '7' }] },
    ],
    // forgecode#2764
    ['all of it encoded twice', JSON.stringify('{"scope":"x"}'), { scope: 'x' }],
    [
      'encoded three times',
      JSON.stringify(JSON.stringify('{"scope":"x","lines":"2"}')),
      { scope: 'x', lines: 2 },
    ],
    ['one thing for a list', { scope: 'x', files: 'a.js' }, { scope: 'x', files: ['a.js'] }],
    ['null for what may be absent', { scope: 'x', lines: null }, { scope: 'x' }],
    ['arguments inside arguments', { name: 'plan', arguments: { scope: 'x' } }, { scope: 'x' }],
    ['a fence around them', '```json\n{"scope":"x"}\n```', { scope: 'x' }],
    ['line breaks inside a text', '{"scope":"a\nb\tc"}', { scope: 'a\nb\tc' }],
    ['a backslash that JSON lacks', '{"scope":"\\d+ \\"x\\" \\\\s"}', { scope: '\\d+ "x" \\s' }],
    [
      "a list in Python's quotes",
      { scope: 'x', files: "['a', 'b']" },
      { scope: 'x', files: ['a', 'b'] },
    ],
    [
      "all of it in Python's quotes",
      "{'scope': 'True', 'dry': True}",
      { scope: 'True', dry: true },
    ],
    ["Python's True in a text", { scope: 'x', dry: 'True' }, { scope: 'x', dry: true }],
    ['nothing for what may be absent', { scope: 'x', lines: '' }, { scope: 'x' }],
    ['a mark of a template behind them', '{"scope":"x"}<|call|>', { scope: 'x' }],
    ['a brace too many', '{"scope":"x"}}', { scope: 'x' }],
    ['a number in a text, beside what is missing', { lines: '5' }, { lines: 5 }],
    [
      'a list in a text, whose item the refusal is to name',
      { scope: 'x', edits: '[{"line":1,"content":"[2]"}]', kind: '{"a":1}' },
      { scope: 'x', edits: [{ line: 1, content: '[2]' }], kind: '{"a":1}' },
    ],
    ['the other form of them', { path: 'a', count: '2' }, { path: 'a', count: 2 }],
    ['another name of a path', { file_path: 'a', count: 2 }, { path: 'a', count: 2 }],
    ['a name of another agent', { file: 'a', count: 2 }, { path: 'a', count: 2 }],
    [
      'a text for an object that needs one thing',
      { scope: 'x', edits: ['3', { line: 4 }] },
      { scope: 'x', edits: [3, { line: 4 }] },
    ],
  ])('%s', (_what, args, expected) => {
    expect(asRead(args)).toEqual(expected);
  });

  it.each([
    ['fit as they are', { scope: '5', kind: 'a', either: '7', files: ['["a"]'] }],
    ['are text that only looks like JSON', { scope: '[1]' }],
    ['fit in the other form', { path: '5', reason: '{"a":1}' }],
    ['have another choice', { scope: 'x', kind: 'c' }],
    ['have a text that holds no number', { scope: 'x', lines: 'five' }],
    ['are cut', '{"scope":"x","files":["a"'],
    ['are two different objects', '{"scope":"x"}{"scope":"y"}'],
    ['have words around them', 'I plan: {"scope":"x"}'],
    ['hold a number where a text is wanted', { scope: 5 }],
    ['are nothing', ''],
    ["have a quote inside Python's quotes", "{'scope': 'it's'}"],
    ['have words behind them', '{"scope":"x"} and more'],
  ])('stay when they %s', (_what, args) => {
    expect(readPlan(args)).toBeUndefined();
  });
});

it('a form that reads into itself is what was sent', () => {
  const same = { ...tool('apply_patch'), readForm: (given: unknown) => ({ ...Object(given) }) };
  const sent = { id: 'a', name: 'apply_patch', argumentsText: '{"n": 1}' };
  expect(readCall(sent, [same])).toEqual({ call: sent, repaired: [] });
});
