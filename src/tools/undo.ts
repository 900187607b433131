/** undo: reverts the last patch; repeatable back to the start. */
import * as z from 'zod';
import type { KnownFiles } from '../workspace/session/session.ts';
import { countLines } from '../workspace/text/diff.ts';
import { patchedEvent } from './apply-patch.ts';
import { defineTool, type ToolContext } from './tool.ts';

export const undo = defineTool({
  name: 'undo',
  description: 'Revert the last patch.',
  core: true,
  step: 'patch',
  schema: z.strictObject({}),
  claims: () => [{ kind: 'undo' }],
  run: async (_args, context) => {
    const step = context.session.undo();
    if (step === undefined) return { text: 'There is nothing to undo.' };
    const paths = step.changes.map(c => c.path);
    const lines = step.changes.reduce(
      (sum, c) => sum + countLines(c).added + countLines(c).removed,
      0,
    );
    return {
      text: `Undone: ${paths.join(', ')} (${lines} lines).`,
      paths,
      moves: 'undo',
      events: [patchedEvent(context.session, stillShown(step.knownBefore, context))],
    };
  },
});

/** A file of which lines have left the conversation since must be read again. */
function stillShown(before: KnownFiles, { evidence }: ToolContext): KnownFiles {
  return new Map(
    [...before].map(([path, lines]) => [
      path,
      lines !== undefined && evidence.forgotten.has(path) ? new Map() : lines,
    ]),
  );
}
