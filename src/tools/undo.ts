/** undo: reverts the last patch; repeatable back to the start. */
import * as z from 'zod';
import { showLines } from '../guard/read-lines.ts';
import { describeMode, type FileChange } from '../workspace/files/change.ts';
import { countLines } from '../workspace/text/diff.ts';
import { renderNumberedDiff } from '../workspace/text/numbered-diff.ts';
import { parseTextFile } from '../workspace/text/text-file.ts';
import { patchedEvent } from './apply-patch.ts';
import { defineTool } from './tool.ts';

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
    context.seen.undo();
    const paths = step.map(c => c.path);
    const lines = step.reduce((sum, c) => sum + countLines(c).added + countLines(c).removed, 0);
    const shown = step.map(describeBack);
    return {
      text: [
        `Undone: ${step.map(nameBack).join(', ')} (${lines} lines).`,
        ...shown.flatMap(({ path, text }) =>
          text === '' ? [] : paths.length === 1 ? [text] : [path, text],
        ),
      ].join('\n'),
      paths,
      change: 'undo',
      events: [patchedEvent(context, paths), ...shown.flatMap(s => s.events)],
    };
  },
});

/** The path, and what becomes of its mode. */
const nameBack = ({ path, before, after }: FileChange) =>
  path + describeMode({ before: after, after: before });

/** Most bytes of one file that the result of an undo shows. */
const maxShown = 2_000;

/** The lines of a file that are there again, in their numbers; those of a whole file are not shown. */
function describeBack({ path, before, after }: FileChange) {
  const [old, now] = [after, before].map(s =>
    s === undefined ? 'binary' : parseTextFile(s.bytes),
  );
  if (old === undefined || now === undefined || old === 'binary' || now === 'binary')
    return { path, text: '', events: [] };
  const { text, shown } = renderNumberedDiff(old.lines, now.lines, {
    numbers: 'after',
    context: 0,
    maxBytes: maxShown,
  });
  const events = shown.size === 0 ? [] : [showLines('shown', path, shown)];
  return { path, text, events };
}
