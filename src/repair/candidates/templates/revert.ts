/** Undoes a recent change: one hunk of it, or up to three hunks of one commit in the file. */
import { compareLines } from '../../../workspace/text/compare-lines.ts';
import type { TextEdit } from '../edit.ts';
import type { EditProposal, Site, Template } from '../template.ts';

const maxHunks = 40;
/** Hunks of one commit that are undone together. */
const maxTogether = 3;

export const revert: Template = {
  id: 'revert',
  title: 'a recent change undone',
  source:
    'repair of regressions from the version before: relifix (Tan, Roychoudhury 2015); delta debugging (Zeller 1999)',
  prior: 1,
  *propose(site) {
    if (site.node.parent !== null) return;
    for (const [age, earlier] of site.earlier.entries()) {
      const hunks = [...findHunks(earlier, site)].slice(0, maxHunks);
      for (const { edit, suspicion } of hunks)
        yield { edits: [edit], weight: suspicion / (1 + age / 4) };
      if (hunks.length > 1 && hunks.length <= maxTogether) yield together(hunks, age);
    }
  },
};

interface Hunk {
  readonly edit: TextEdit;
  /** The highest suspicion of its lines and of those beside it. */
  readonly suspicion: number;
}

function together(hunks: readonly Hunk[], age: number): EditProposal {
  const suspicion = Math.max(...hunks.map(h => h.suspicion));
  return { edits: hunks.map(h => h.edit), weight: (0.8 * suspicion) / (1 + age / 4) };
}

/** What turns lines of the text back into those of an earlier text. */
function* findHunks(earlier: string, { text, suspicionAt }: Site): Iterable<Hunk> {
  const [now, before] = [text.split('\n'), earlier.split('\n')];
  const starts = [0];
  for (const line of now) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  for (const { oldStart, oldEnd, newStart, newEnd } of compareLines(now, before)) {
    const lines = before.slice(newStart, newEnd).map(line => `${line}\n`);
    const edit = { start: starts[oldStart] ?? 0, end: starts[oldEnd] ?? 0, text: lines.join('') };
    const touched = Array.from({ length: oldEnd - oldStart + 2 }, (_, i) =>
      suspicionAt(oldStart + i),
    );
    if (edit.end <= text.length) yield { edit, suspicion: Math.max(0, ...touched) };
  }
}
