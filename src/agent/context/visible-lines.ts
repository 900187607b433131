/** Which lines of files the conversation shows now, and in which answers. */
import type { KnownLines } from '../../guard/evidence.ts';
import { type LineMoves, shiftKnown } from '../../workspace/text/edits.ts';

/** What one result did to the lines that the model sees. */
export interface LinesOfResult {
  readonly read: readonly { readonly path: string; readonly lines: KnownLines }[];
  readonly moves?: LineMoves | undefined;
}

/** The lines around what a patch changed, by file; none for an undo. */
export function listPatched({ moves }: Partial<LinesOfResult> = {}): LinesOfResult['read'] {
  if (moves === undefined || moves === 'undo') return [];
  return [...moves].map(([path, { shown }]) => ({ path, lines: shown }));
}

/** The lines of one file in one answer, by their numbers now. */
interface ShownLines {
  readonly lines: KnownLines;
  /** True after a patch of the file: the answer may show other numbers. */
  readonly moved: boolean;
}

type Files = ReadonlyMap<string, ReadonlyMap<number, ShownLines>>;

/** Changed only through its methods. Answers have numbers in the order of the conversation. */
export class VisibleLines {
  #files: Files = new Map();
  /** What the answers showed of the changed files before each patch that was not undone. */
  readonly #before: Files[] = [];
  readonly #dropped = new Set<number>();

  /** Adds what an answer shows. */
  add(answer: number, { read, moves }: LinesOfResult): void {
    if (moves === 'undo') this.#files = new Map([...this.#files, ...(this.#before.pop() ?? [])]);
    else if (moves !== undefined) this.#patch(answer, moves);
    for (const { path, lines } of read) this.#show(answer, path, lines);
  }

  /** Takes the answer out: its text is no longer sent. */
  drop(answer: number): void {
    this.#dropped.add(answer);
  }

  isDropped(answer: number): boolean {
    return this.#dropped.has(answer);
  }

  /** The numbers of the lines of a file that some answer shows. */
  linesOf(path: string): ReadonlySet<number> {
    return new Set(this.#listAnswers(path).flatMap(([, { lines }]) => [...lines.keys()]));
  }

  /** The lines that an answer shows, by file. */
  ofAnswer(answer: number): ReadonlyMap<string, KnownLines> {
    const found = [...this.#files].map(
      ([path, by]) => [path, by.get(answer)?.lines ?? new Map<number, string>()] as const,
    );
    return new Map(found.filter(([, lines]) => lines.size > 0));
  }

  /** The latest answer that shows these very lines under these numbers; undefined when there is none. */
  showing(path: string, lines: KnownLines): number | undefined {
    return this.#listAnswers(path).findLast(([, shown]) => showsAs(shown, lines))?.[0];
  }

  /** True when an answer shows these very lines under these numbers. */
  shows(answer: number, { path, lines }: LinesOfResult['read'][number]): boolean {
    const shown = this.#files.get(path)?.get(answer);
    return shown !== undefined && showsAs(shown, lines);
  }

  /** True when later answers show each line that this answer shows. */
  isSuperseded(answer: number): boolean {
    return [...this.ofAnswer(answer)].every(([path, lines]) => {
      const later = this.#listAnswers(path).filter(([id]) => id > answer);
      const seen = new Set(later.flatMap(([, shown]) => [...shown.lines.keys()]));
      return lines.keys().every(line => seen.has(line));
    });
  }

  #listAnswers(path: string): readonly (readonly [number, ShownLines])[] {
    return [...(this.#files.get(path) ?? [])].filter(([id]) => !this.#dropped.has(id));
  }

  #show(answer: number, path: string, lines: KnownLines): void {
    const by = new Map(this.#files.get(path));
    const before = by.get(answer);
    by.set(answer, {
      lines: new Map([...(before?.lines ?? []), ...lines]),
      moved: before?.moved ?? false,
    });
    this.#files = new Map(this.#files).set(path, by);
  }

  #patch(answer: number, moves: Exclude<LineMoves, 'undo'>): void {
    const paths = [...moves.keys()];
    this.#before.push(new Map(paths.map(p => [p, this.#files.get(p) ?? new Map()])));
    const files = new Map(this.#files);
    for (const [path, { replacements, shown }] of moves) {
      const earlier = replacements === 'all' ? [] : [...(files.get(path) ?? [])];
      const by = earlier.map(([id, { lines }]) => {
        // what the patch inserted is in its own answer
        const kept = replacements === 'all' ? lines : shiftKnown(lines, replacements, []);
        return [id, { lines: kept, moved: true }] as const;
      });
      files.set(path, new Map([...by, [answer, { lines: shown, moved: true }]]));
    }
    this.#files = files;
  }
}

/** True when an answer shows these very lines under these numbers. */
function showsAs(shown: ShownLines, lines: KnownLines): boolean {
  return !shown.moved && lines.entries().every(([n, text]) => shown.lines.get(n) === text);
}

/** The lines of a result whose text was cut: those whose numbers are still in it, and blank lines before them. */
export function linesLeft(lines: KnownLines, text: string): KnownLines {
  const rows = new Set(text.split('\n'));
  const left = new Set<number>();
  for (const [n, line] of [...lines].toReversed())
    if (rows.has(`${n}\t${line}`) || (line === '' && left.has(n + 1))) left.add(n);
  return new Map([...lines].filter(([n]) => left.has(n)));
}
