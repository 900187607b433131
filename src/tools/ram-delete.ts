/** ram_delete: removes an entry from the memory of the run. */
import * as z from 'zod';
import { ramKey } from '../memory/ram.ts';
import { defineTool } from './tool.ts';

export const ramDelete = defineTool({
  name: 'ram_delete',
  description: 'Delete an entry from memory.',
  core: true,
  needs: 'ram',
  step: undefined,
  schema: z.strictObject({ key: z.string().regex(ramKey, 'letters, digits, _ . - (at most 64)') }),
  claims: () => [],
  run: async (args, context) => {
    const was = context.ram.delete(args.key);
    return {
      text: was ? `Memory: deleted ${args.key}.` : `Memory: there is no ${args.key}.`,
      facts: { change: was ? 'deleted' : 'none', key: args.key, ...context.ram.size() },
    };
  },
});
