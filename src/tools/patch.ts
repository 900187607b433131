/** patch: shows the last change, or all changes of the session, as a unified diff. */
import * as z from 'zod';
import { renderDiff } from '../workspace/text/diff.ts';
import { defineTool, type ToolResult } from './tool.ts';

export const patch = defineTool({
  name: 'patch',
  description: 'Show the last change, or all.',
  core: true,
  step: undefined,
  schema: z.strictObject({ all: z.boolean().optional() }),
  claims: () => [],
  run: async (args, context): Promise<ToolResult> => {
    const changes = args.all ? context.session.changes() : (context.session.lastStep() ?? []);
    if (changes.length === 0) return { text: 'There are no changes.' };
    return {
      text: cutAtLine(renderDiff(changes), context.policy.limits.output_bytes),
      paths: changes.map(c => c.path),
    };
  },
});

/** Cuts a text at the end of a line and says how many bytes are missing. */
export function cutAtLine(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const kept = Buffer.from(text).subarray(0, maxBytes).toString('utf8');
  const whole = kept.slice(0, kept.lastIndexOf('\n') + 1);
  return `${whole}[cut: ${Buffer.byteLength(text) - Buffer.byteLength(whole)} more bytes]`;
}
