/** The changes of each concurrent writer: its own notes, one note that all write, one that all use. */
import { type Change, getRecordId } from '../../src/memory/change.ts';

const workspace = 'octo/sample';

function note(body: string, run: string): Change {
  const by = { run, commit: '', who: 'wendy', at: '2026-01-01T00:00:00.000Z' };
  return { op: 'add', workspace, kind: 'note', title: body, body, tags: [], by };
}

/** The note that exists before the first writer. */
export const sharedNote = note('Everybody uses this one.', 'first');

export function writerChanges(n: number): readonly Change[] {
  const run = `run-${n}`;
  const own = [0, 1, 2].map(i => note(`Note ${i} of writer ${n}.`, run));
  const { by } = note('', run);
  const use: Change = { op: 'use', workspace, id: getRecordId(sharedNote), by };
  return [...own, note('All of them write this one.', run), use];
}
