/** Finds the lines of tracked files that a command prints: they count as read in the round (constitution §3.1). */
import type { EvidenceEvent } from '../guard/evidence.ts';
import { normalisePath } from '../guard/paths.ts';
import { filePattern } from './file-pattern.ts';
import type { ToolContext } from './tool.ts';
import { namedPaths } from './written-files.ts';

/** Most files of a command line whose lines are looked for in its output. */
const maxFiles = 50;

interface Printed {
  /** The output without lines that are more than the round may show of a file. */
  readonly output: string;
  readonly events: readonly EvidenceEvent[];
}

/**
 * Counts what a command line prints of the tracked files that it names, by words or patterns. Nothing of it becomes
 * editable, and it leads to no file.
 */
export async function countPrinted(
  { command, folder = '' }: { readonly command: string; readonly folder?: string | undefined },
  output: string,
  context: ToolContext,
): Promise<Printed> {
  const { evidence, policy } = context;
  const files = await findNamedFiles(command, folder, context);
  if (files.size === 0 || output === '') return { output, events: [] };
  const most = policy.limits.read_lines;
  const counters = [...files].map(([path, lines]) =>
    openCounter(path, lines, evidence.readThisRound),
  );
  const left = new Map<string, number>();
  const rows = output.split('\n').filter(row => {
    const text = row.replace(numbered, '');
    const counter = counters.find(b => b.has(row)) ?? counters.find(b => b.has(text));
    if (counter === undefined) return true;
    if (counter.take(counter.has(row) ? row : text, most)) return true;
    left.set(counter.path, (left.get(counter.path) ?? 0) + 1);
    return false;
  });
  const notes = [...left].map(
    ([path, count]) =>
      `[${count} lines of ${path} left out: a round shows ${most.toLocaleString('en')} lines of a file]`,
  );
  const events = counters.flatMap((b): EvidenceEvent[] =>
    b.printed.size === 0 ? [] : [{ kind: 'printed', path: b.path, lines: [...b.printed] }],
  );
  return { output: [...rows, ...notes].join('\n'), events };
}

/** What `cat -n`, `nl` and `grep -n` put before a line. */
const numbered = /^(?:[^\s:]+:)?\s*\d+[\t: -]\s?/;

/** The lines of one file: which of them the round has shown, and which an output prints. */
function openCounter(
  path: string,
  lines: readonly string[],
  readThisRound: ToolContext['evidence']['readThisRound'],
) {
  const numbers = Map.groupBy(lines.keys(), i => lines[i] ?? '');
  const shown = new Set(readThisRound.get(path));
  const printed = new Set<number>();
  return {
    path,
    printed,
    /** True for the text of a line; blank lines tell nothing. */
    has: (text: string) => text.trim() !== '' && numbers.has(text),
    /** Counts a line as printed; false if it is one more than the round may show. */
    take: (text: string, most: number): boolean => {
      const all = (numbers.get(text) ?? []).map(i => i + 1);
      const line = all.find(n => !printed.has(n)) ?? all[0] ?? 0;
      if (!shown.has(line) && shown.size >= most) return false;
      shown.add(line);
      printed.add(line);
      return true;
    },
  };
}

/** The tracked text files that a command line names, with their lines. */
async function findNamedFiles(
  command: string,
  folder: string,
  { session }: ToolContext,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const named = namedPaths(command, folder).flatMap(path => normalisePath(path) || []);
  const patterns = command
    .split(/[\s;|&<>()'"]+/)
    .flatMap(word => (/[*?]/.test(word) ? (filePattern(inFolder(folder, word)) ?? []) : []));
  const matching =
    patterns.length === 0
      ? []
      : (await session.files()).map(f => f.path).filter(path => patterns.some(fits => fits(path)));
  const found = new Map<string, readonly string[]>();
  for (const path of new Set([...named, ...matching].slice(0, maxFiles))) {
    const facts = await session.facts(path);
    if (facts.kind === 'file' && facts.tracked) found.set(path, facts.lines);
  }
  return found;
}

function inFolder(folder: string, pattern: string): string {
  const root = normalisePath(folder) ?? '';
  return root === '' ? pattern : `${root}/${pattern}`;
}
