/** A tool judges its arguments by one schema, from which the model's definition is made. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  aside,
  defineTool,
  inResults,
  listResolved,
  type ToolContext,
  withoutReason,
} from '../../src/tools/tool.ts';
import { usual } from './play.ts';

const tool = defineTool({
  name: 'test_tool',
  description: 'For this test.',
  core: true,
  step: undefined,
  schema: z.strictObject({ n: z.int().min(1), text: z.string().max(9).optional() }),
  claims: args => [{ kind: 'navigate', path: `${args.n}` }],
  run: async () => ({ text: 'ran' }),
});

describe('a tool', () => {
  it('claims what its arguments say, and takes the reasoning beside them', async () => {
    const parsed = tool.parse({ n: 2, reason: 'needed' });
    const claims = parsed.ok ? await parsed.call.claims({} as ToolContext) : parsed.problems;
    expect(claims).toEqual([{ kind: 'navigate', path: '2' }]);
  });

  it.each([
    [{ n: 0 }, ['/n: ']],
    [{ n: 1, more: 1 }, ['there is no key "more" here; the keys are n, text$']],
    [{}, ['/n: is missing; it must be a number$']],
    [{ n: 'x', text: 7 }, ['/n: ', '/text: ']],
    ['text', ['must be an object$']],
    [{ n: 1, reason: 5 }, ['there is no key "reason" here; ']],
  ])('refuses %j by the path of each problem', (args, starts) => {
    const parsed = tool.parse(args);
    expect(parsed.ok ? [] : parsed.problems).toEqual(
      starts.map(start => expect.stringMatching(`^${start}`)),
    );
  });

  it('is described without the keywords that a model does not need', () => {
    expect(tool.definition).toMatchObject({ name: 'test_tool', description: 'For this test.' });
    expect(tool.definition.parameters).toEqual({
      type: 'object',
      properties: { n: { type: 'integer' }, text: { type: 'string' } },
      required: ['n'],
    });
  });

  it('is defined in a request without what names, results and refusals say', () => {
    const { definition } = defineTool({
      name: 'test_tool',
      description: 'For this test.',
      core: true,
      step: undefined,
      schema: z.strictObject({
        names: z.array(z.string()).min(1).max(9).meta(aside('what they are')),
        kept: z.string().optional().describe('said'),
        offset: z.int().optional().meta(inResults),
      }),
      claims: () => [],
      run: async () => ({ text: '' }),
    });
    const names = { type: 'array', items: { type: 'string' }, minItems: 1 };
    const kept = { type: 'string', description: 'said' };
    expect(definition.brief).toEqual({
      type: 'object',
      properties: { names, kept },
      required: ['names'],
    });
    expect(definition.parameters).toMatchObject({
      properties: {
        names: { ...names, maxItems: 9, description: 'what they are' },
        kept,
        offset: { type: 'integer' },
      },
    });
  });
});

it('the reasoning is a text of its own', () => {
  expect(withoutReason({ a: 1, reason: 'x' })).toEqual({ a: 1 });
  expect(withoutReason({ a: 1, reason: 2 })).toEqual({ a: 1, reason: 2 });
  expect(withoutReason([1])).toEqual([1]);
});

it('a name is resolved when a lookup had missed it', () => {
  const evidence = { ...usual.evidence, unresolved: new Set(['f']) };
  const context = { evidence } as unknown as ToolContext;
  expect(listResolved('f', context)).toEqual([{ kind: 'resolved', name: 'f' }]);
  expect(listResolved('g', context)).toEqual([]);
});
