/** Makes the repository map of the first prompt: the files that the words of the task lead to. */
import type { CodeSymbol } from './definitions.ts';
import { renderSymbol } from './format.ts';
import { printablePath } from './listing.ts';
import { type LookupSource, symbolsIn } from './lookup.ts';

export interface MapOptions {
  readonly task: string;
  /** All tracked files, including those without code. */
  readonly paths: readonly string[];
  /** Maximum bytes of the text; 0 leaves the map out. */
  readonly maxBytes: number;
}

const maxWords = 8;
const maxFiles = 12;
const maxSymbols = 12;
/** With more files than this, the map searches file names only, not their content. */
const maxSearched = 20_000;

const common = new Set(
  'the and for with from that this when then not but are was were has have had its into should would could must make makes made use uses used add adds fix fixes bug error errors fail fails failing failed test tests file files code line lines function method class value values return returns does dont can cannot will please issue problem wrong right instead only also all any one two new old see get set run runs after before because there where which what how why who you your our their them they'.split(
    ' ',
  ),
);

/**
 * Makes the map: one line for each file, with the symbols that the task names; empty if no file matches. Rare words have more weight, and identifiers have more weight than other words.
 */
export async function drawMap(source: LookupSource, options: MapOptions): Promise<string> {
  if (options.maxBytes === 0) return '';
  const words = findWords(options.task);
  const scores = new Map<string, number>();
  const add = (path: string, score: number) => scores.set(path, (scores.get(path) ?? 0) + score);
  for (const path of options.paths) {
    const score = words.reduce((sum, word) => sum + nameScore(path, word), 0);
    if (score > 0) add(path, score);
  }
  if (options.paths.length <= maxSearched) {
    for (const [word, files] of await source.filesHolding(words)) {
      const weight = (looksLikeCode(word) ? 6 : 2) / Math.log2(2 + files.size);
      for (const path of files) add(path, weight);
    }
  }
  const ranked = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return ranked.length === 0
    ? ''
    : render(
        source,
        ranked.map(([p]) => p),
        { maxBytes: options.maxBytes, isNamed: symbolsNamedBy(options.task) },
      );
}

/** Tells the symbols whose name is, or holds, a word of a text. */
export function symbolsNamedBy(text: string): (symbol: Pick<CodeSymbol, 'name'>) => boolean {
  const words = findWords(text).map(w => w.toLowerCase());
  return ({ name }) => {
    const lower = name.toLowerCase();
    return words.some(w => lower === w || (w.length > 3 && lower.includes(w)));
  };
}

/** The words of the task to search for: identifiers first, then the longest. */
function findWords(task: string): readonly string[] {
  const found = task.match(/[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu) ?? [];
  const words = [...new Set(found)].filter(w => !common.has(w.toLowerCase()));
  const order = (w: string) => (looksLikeCode(w) ? 1000 : 0) + w.length;
  return words.sort((a, b) => order(b) - order(a)).slice(0, maxWords);
}

function looksLikeCode(word: string): boolean {
  return /[a-z][A-Z]|[_$\d]/.test(word);
}

function nameScore(path: string, word: string): number {
  const lower = path.toLowerCase();
  const stem = lower.split('/').at(-1)?.split('.')[0] ?? '';
  const wanted = word.toLowerCase();
  if (stem === wanted) return 5;
  return wanted.length > 3 && lower.includes(wanted) ? 2 : 0;
}

async function render(
  source: LookupSource,
  paths: readonly string[],
  {
    maxBytes,
    isNamed,
  }: { readonly maxBytes: number; readonly isNamed: (symbol: CodeSymbol) => boolean },
): Promise<string> {
  const rows: string[] = [];
  let bytes = 0;
  for (const path of paths.slice(0, maxFiles)) {
    const symbols = await symbolsIn(source, path);
    const outer = symbols.filter(s => s.container === undefined && isNamed(s)).slice(0, maxSymbols);
    const row = [printablePath(path), ...outer.map(renderSymbol)].join(' ');
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > maxBytes) break;
    rows.push(row);
  }
  return rows.join('\n');
}
