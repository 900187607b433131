/** Makes the repository map of the first prompt: the files that the words of the task lead to. */
import { posix } from 'node:path';
import { collectWords } from '../base/plural.ts';
import { pathsIn } from '../guard/paths.ts';
import type { CodeSymbol } from './definitions.ts';
import { detectLanguage } from './languages.ts';
import { printablePath, renderSymbol } from './listing.ts';
import { isTestLike, type LookupSource, symbolsIn } from './lookup.ts';

interface MapOptions {
  readonly task: string;
  /** What else the first request says, such as the output of failing tests: only the files that it names count. */
  readonly output?: string;
  /** All tracked files, including those without code. */
  readonly paths: readonly string[];
  /** Maximum bytes of the text; 0 leaves the map out. */
  readonly maxBytes: number;
}

const maxWords = 8;
const maxFiles = 12;
const maxSymbols = 12;
/** The files of which the symbols are read to see which define what the task names. */
const maxParsed = 30;
/** With more files than this, the map searches file names only, not their content. */
const maxSearched = 20_000;

const common = collectWords(
  'the and for with from that this when then not but are was were has have had its into should would could must make makes made use uses used add adds fix fixes bug error errors fail fails failing failed test tests file files code line lines function method class value values return returns does dont can cannot will please issue problem wrong right instead only also all any one two new old see get set run runs after before because there where which what how why who you your our their them they',
);

/** A task about what people read, and files that hold it. */
const aboutProse =
  /\b(?:docs?|documentation|documented|readme|changelog|guides?|tutorials?|manuals?|typos?)\b/i;
const prose = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;

/**
 * Makes the map: one line for each file, with the symbols that the task names; of a small repository, all files. Code that defines what
 * the task names comes first, then files that the task or the output names, or prose if the task is about it, other code, tests, and the rest. Inside of these, rare words have more
 * weight, and identifiers have more weight than other words.
 */
export async function drawMap(
  source: LookupSource,
  { task, output = '', paths, maxBytes }: MapOptions,
): Promise<string> {
  if (maxBytes === 0) return '';
  const words = findWords(task);
  const scores = new Map<string, number>();
  const add = (path: string, score: number) => scores.set(path, (scores.get(path) ?? 0) + score);
  for (const path of paths) {
    const score = words.reduce((sum, word) => sum + nameScore(path, word), 0);
    if (score > 0) add(path, score);
  }
  if (paths.length <= maxSearched) {
    const isCode = findCode(task);
    for (const [word, files] of await source.filesHolding(words)) {
      const weight = (isCode(word) ? 6 : 2) / Math.log2(2 + files.size);
      for (const path of files) add(path, weight);
    }
  }
  const byScore = [...scores]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([path]) => path);
  const code = byScore.filter(path => detectLanguage(path) !== undefined);
  const defining = await filesDefining(source, code.slice(0, maxParsed), words);
  const isAboutProse = aboutProse.test(task);
  const printed = new Set(pathsIn(output, paths));
  const rank = (path: string) => {
    if (defining.has(path) && !isTestLike(path)) return 0;
    if (printed.has(path) || task.includes(posix.basename(path))) return 1;
    if (isAboutProse && prose.test(path)) return 1;
    return detectLanguage(path) === undefined ? 4 : isTestLike(path) ? 3 : 2;
  };
  const isWhole = paths.length <= maxFiles;
  const others = paths.filter(path => !scores.has(path) && (isWhole || printed.has(path)));
  const ranked = [...byScore, ...others].sort((a, b) => rank(a) - rank(b));
  return render(source, ranked, { maxBytes, words });
}

/** The files that define a symbol of exactly one of these names. */
async function filesDefining(
  source: LookupSource,
  paths: readonly string[],
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const path of paths)
    if ((await symbolsIn(source, path)).some(namesOne(words))) found.add(path);
  return found;
}

function namesOne(words: readonly string[]): (symbol: Pick<CodeSymbol, 'name'>) => boolean {
  const lower = new Set(words.map(w => w.toLowerCase()));
  return ({ name }) => lower.has(name.toLowerCase());
}

/** Tells the symbols whose name is, or holds, a word of a text. */
export function symbolsNamedBy(text: string): (symbol: Pick<CodeSymbol, 'name'>) => boolean {
  return namedBy(findWords(text));
}

function namedBy(words: readonly string[]): (symbol: Pick<CodeSymbol, 'name'>) => boolean {
  const isExact = namesOne(words);
  const parts = words.map(w => w.toLowerCase()).filter(w => w.length > 3);
  return symbol => isExact(symbol) || parts.some(w => symbol.name.toLowerCase().includes(w));
}

/** The words of the task to search for: identifiers first, then the longest. */
function findWords(task: string): readonly string[] {
  const isCode = findCode(task);
  const found = task.match(/[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu) ?? [];
  const words = [...new Set(found)].filter(w => isCode(w) || !common.has(w.toLowerCase()));
  const order = (w: string) => (isCode(w) ? 1000 : 0) + w.length;
  return words.sort((a, b) => order(b) - order(a)).slice(0, maxWords);
}

/** Tells the words of a task that are code: by their form, as a call such as `total()`, or in backticks. */
function findCode(task: string): (word: string) => boolean {
  const called = task.match(/[\p{L}_$][\p{L}\p{N}_$]*(?=\()|`[^`\n]{1,100}`/gu) ?? [];
  const named = new Set(called.flatMap(text => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
  return word => /[a-z][A-Z]|[_$\d]/.test(word) || named.has(word);
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
  { maxBytes, words }: { readonly maxBytes: number; readonly words: readonly string[] },
): Promise<string> {
  const [isNamed, isExact] = [namedBy(words), namesOne(words)];
  const rows: string[] = [];
  let bytes = 0;
  for (const path of paths.slice(0, maxFiles)) {
    const symbols = await symbolsIn(source, path);
    const exact = symbols.filter(isExact);
    const outer = symbols.filter(s => s.container === undefined && isNamed(s) && !isExact(s));
    const shown = [...exact, ...outer].slice(0, maxSymbols);
    const row = [printablePath(path), ...shown.map(renderSymbol)].join(' ');
    bytes += Buffer.byteLength(row) + 1;
    if (bytes > maxBytes) break;
    rows.push(row);
  }
  return rows.join('\n');
}
