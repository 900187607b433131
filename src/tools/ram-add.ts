/** ram_add: creates or replaces an entry in the memory of the run, within its limits. */
import * as z from 'zod';
import { ramKey } from '../memory/ram.ts';
import { defineTool } from './tool.ts';

export const ramAdd = defineTool({
  name: 'ram_add',
  description: 'Store a value under a key for later rounds; replaces the value of an existing key.',
  core: true,
  needs: 'ram',
  step: undefined,
  schema: z.strictObject({
    key: z.string().regex(ramKey, 'letters, digits, _ . - (at most 64)'),
    value: z.string().max(262_144),
  }),
  claims: () => [],
  problems: async (args, context) =>
    [context.ram.refusal(args.key, args.value)].filter(p => p !== undefined),
  run: async (args, context) => {
    const change = context.ram.add(args.key, args.value);
    return {
      text: `Memory: ${change} ${args.key}.`,
      facts: { change, key: args.key, ...context.ram.size() },
    };
  },
});
