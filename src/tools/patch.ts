/** patch: the last change, or all of the session's, as a unified diff; changes nothing. */
import * as z from 'zod';
import { renderDiff } from '../workspace/text/diff.ts';
import { defineTool, type ToolResult } from './tool.ts';

export const patch = defineTool({
  name: 'patch',
  description: 'Show the last change, or all of them, as a diff.',
  core: true,
  step: null,
  schema: z.strictObject({ all: z.boolean().optional() }),
  claims: () => [],
  run: async (args, context): Promise<ToolResult> => {
    const changes = args.all
      ? context.session.changes()
      : (context.session.lastStep()?.changes ?? []);
    if (changes.length === 0) return { text: 'Nothing is changed.' };
    return {
      text: bounded(renderDiff(changes), context.policy.limits.output_bytes),
      paths: changes.map(c => c.path),
    };
  },
});

/** Text cut at a line, with a word about what was left out. */
export function bounded(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const kept = Buffer.from(text).subarray(0, maxBytes).toString('utf8');
  const whole = kept.slice(0, kept.lastIndexOf('\n') + 1);
  return `${whole}[cut: ${Buffer.byteLength(text) - Buffer.byteLength(whole)} more bytes]`;
}
