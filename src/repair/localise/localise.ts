/** Localises the fault: the Ochiai score (Abreu, Zoeteweij, van Gemund 2006) of the lines that each case ran. Pure. */
import type { Node } from 'web-tree-sitter';
import { type LanguageAdapter, nodeTypes } from '../languages/language.ts';
import type { CaseResult, Coverage, SourceLine } from '../runners/test-runner.ts';

/** A line with its suspicion, in (0, 1]. */
export interface Suspect extends SourceLine {
  readonly score: number;
}

/** Added to the score of the line at the top of a failure's stack. */
const frameBonus = 0.25;

interface TestObservations {
  readonly cases: readonly CaseResult[];
  readonly coverage: readonly Coverage[];
  /** True for a path that a repair may change. */
  readonly mayChange: (path: string) => boolean;
}

/**
 * Lines that failing cases ran, most suspicious first. Lines that ran while a test file was loaded count
 * for each of its cases. A failing case without lines never ended, so it counts as if it had run all
 * lines that the cases of its file ran. If no case has lines of its own, a whole file has one score, which
 * leaves room for that of the stack.
 */
export function localise(seen: TestObservations): readonly Suspect[] {
  const { coverage, mayChange } = seen;
  const cases = observedCases(seen);
  const failed = new Set(cases.filter(c => c.status === 'failed').map(c => c.id));
  const passed = new Set(cases.filter(c => c.status === 'passed').map(c => c.id));
  const ran = runsByLine(cases, coverage);
  const tops = new Set(topFrames(cases, mayChange).map(keyOf));
  const most = hasOwnLines(coverage) ? 1 : 1 - frameBonus;
  const suspects: Suspect[] = [];
  for (const [key, ids] of ran) {
    const place = parseKey(key);
    if (!mayChange(place.path)) continue;
    const ef = count(ids, failed);
    const score = most * ochiai({ ef, ep: count(ids, passed), failed: failed.size });
    if (score > 0 || tops.has(key))
      suspects.push({ ...place, score: Math.min(1, score + (tops.has(key) ? frameBonus : 0)) });
  }
  for (const key of tops) if (!ran.has(key)) suspects.push({ ...parseKey(key), score: frameBonus });
  return suspects.sort((a, b) => b.score - a.score || order(a, b));
}

/** Ochiai's coefficient: `ef / sqrt(failed * (ef + ep))`; 0 for a line that no failing case ran. */
export function ochiai({ ef, ep, failed }: { ef: number; ep: number; failed: number }): number {
  return ef === 0 ? 0 : ef / Math.sqrt(failed * (ef + ep));
}

const keyOf = ({ path, line }: SourceLine) => `${path}\0${line}`;

function parseKey(key: string): SourceLine {
  const [path = '', line = ''] = key.split('\0');
  return { path, line: Number(line) };
}

const order = (a: SourceLine, b: SourceLine) =>
  a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;

function count(ids: ReadonlySet<string>, of: ReadonlySet<string>): number {
  return [...ids].filter(id => of.has(id)).length;
}

/** True if the lines of single cases are known, and not only those of whole files. */
const hasOwnLines = (coverage: readonly Coverage[]) =>
  coverage.some(c => c.id !== undefined && c.file !== '');

/** Ids of the observed cases that ran each line. */
function runsByLine(
  cases: readonly CaseResult[],
  coverage: readonly Coverage[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const ran = new Map<string, Set<string>>();
  const seen = new Set(coverage.flatMap(c => (c.id === undefined ? [] : [c.id])));
  const inFile = Map.groupBy(cases, c => c.file);
  const listIds = ({ id, file }: Coverage) => {
    const others = (inFile.get(file) ?? []).filter(c => c.status === 'failed' && !seen.has(c.id));
    if (id !== undefined) return [id, ...others.map(c => c.id)];
    return (inFile.get(file) ?? []).map(c => c.id);
  };
  for (const entry of coverage) {
    const ids = listIds(entry);
    for (const [path, lines] of Object.entries(entry.files))
      for (const line of lines) {
        const key = keyOf({ path, line });
        const known = ran.get(key) ?? new Set<string>();
        ran.set(key, known);
        for (const id of ids) known.add(id);
      }
  }
  return ran;
}

/** Cases whose lines were to be recorded. A coverage entry without files names a case that was left out. */
function observedCases({ cases, coverage }: TestObservations): readonly CaseResult[] {
  const left = new Set(
    coverage.flatMap(c => (c.id !== undefined && Object.keys(c.files).length === 0 ? [c.id] : [])),
  );
  return left.size === 0 ? cases : cases.filter(c => !left.has(c.id));
}

/** The first line of the project's own code on the stack of each failure. */
function topFrames(
  cases: readonly CaseResult[],
  mayChange: (path: string) => boolean,
): readonly SourceLine[] {
  return cases
    .filter(c => c.status === 'failed')
    .flatMap(c => (c.frames ?? []).filter(f => mayChange(f.path)).slice(0, 1));
}

/** Suspicion of a line without further evidence. */
const plainScore = 0.3;
const maxFiles = 5;

/** True for a line that has code: neither blank, nor brackets alone, nor a comment, nor the first one of a docstring. */
export function hasCode(line: string): boolean {
  return /\w/.test(line) && !/^\s*(?:\/\/|\*|\/\*|[ru]?(?:"""|''')|#(?!\w+\s*[=(;]))/.test(line);
}

/** Every line of code in these files, all with the same suspicion. */
export function evenSuspects(texts: ReadonlyMap<string, string>): readonly Suspect[] {
  return [...texts]
    .slice(0, maxFiles)
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, i) =>
          hasCode(line) && !/^\s*(?:#|import\b|from\b)/.test(line)
            ? [{ path, line: i + 1, score: plainScore }]
            : [],
        ),
    );
}

/** What Python says of a call that does not fit the parameters: no line of the function runs then. */
const refusedCall =
  /(?:\b(\w+)\.)?\b(\w+)\(\) (?:missing \d|takes |got an unexpected keyword|got multiple values)/g;

/** The headers of the functions whose calls failing cases could not make. */
export function refusedHeaders(
  failed: readonly CaseResult[],
  texts: ReadonlyMap<string, string>,
): readonly Suspect[] {
  const found = new Map<string, Suspect>();
  for (const [, owner = '', name = ''] of failed.flatMap(c => [
    ...(c.message ?? '').matchAll(refusedCall),
  ]))
    for (const [path, text] of texts) {
      const start =
        owner === '' ? 0 : Math.max(0, text.search(new RegExp(`^class ${owner}\\b`, 'm')));
      const at = new RegExp(`^[ \\t]*(?:async )?def ${name}\\(`, 'm').exec(text.slice(start));
      if (at === null) continue;
      const line = text.slice(0, start + at.index).split('\n').length;
      found.set(`${path}:${line}`, { path, line, score: 1 });
    }
  return [...found.values()];
}

/** The share of its suspicion that such a line keeps. */
const share = 0.75;

/** The lines before the first statement of each function, counted from 1. */
export function headerLines(root: Node, language: LanguageAdapter): ReadonlySet<number> {
  const lines = new Set<number>();
  const visit = (node: Node) => {
    const body = language.types.function.has(node.type) ? node.childForFieldName('body') : null;
    const first = body?.namedChildren.find(c => c !== null && c.type !== 'comment');
    if (body && first && language.types.block.has(body.type))
      for (let row = node.startPosition.row; row < first.startPosition.row; row++)
        lines.add(row + 1);
    for (const child of node.namedChildren) if (child !== null) visit(child);
  };
  visit(root);
  return lines;
}

/** A value that a file declares at its top level: its name and its lines, counted from 1. */
export interface DeclaredValue {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

const declarators = nodeTypes('variable_declarator assignment pair');
/** A key that names a constant. Other keys are words of every program. */
const constantKey = /^[A-Z][A-Z\d_]{2,}$/;
const minName = 3;
/** Lines of a longer value, such as a table, are not all suspicious. */
const maxValue = 100;

/** The values that a file declares at its top level, without what it imports. */
export function listDeclaredValues(
  root: Node,
  { types }: LanguageAdapter,
): readonly DeclaredValue[] {
  const found: DeclaredValue[] = [];
  const visit = (node: Node) => {
    if (types.function.has(node.type)) return;
    if (declarators.has(node.type)) {
      const name = (
        node.childForFieldName('name') ??
        node.childForFieldName('left') ??
        node.childForFieldName('key')
      )?.text;
      const value = node.childForFieldName('value') ?? node.childForFieldName('right');
      const isNamed = name !== undefined && /^[\w$]+$/.test(name) && name.length >= minName;
      const counts = node.type === 'pair' ? constantKey.test(name ?? '') : true;
      if (
        isNamed &&
        counts &&
        value &&
        !types.function.has(value.type) &&
        !/^require\b/.test(value.text)
      )
        found.push({
          name,
          first: node.startPosition.row + 1,
          last: node.endPosition.row + 1,
        });
    }
    for (const child of node.namedChildren) if (child !== null) visit(child);
  };
  visit(root);
  return found;
}

/**
 * The suspects with the lines of declared values, which are nearly as suspicious as the most suspicious line that uses the name:
 * they run while files load, whatever is tested.
 */
export function withDeclaredValues(
  suspects: readonly Suspect[],
  declared: ReadonlyMap<string, readonly DeclaredValue[]>,
  textOf: ReadonlyMap<string, string>,
): readonly Suspect[] {
  const most = new Map<string, number>();
  const linesOf = new Map([...textOf].map(([path, text]) => [path, text.split('\n')]));
  for (const { path, line, score } of suspects) {
    const words = linesOf.get(path)?.[line - 1]?.match(/[\w$]+/g) ?? [];
    const own = (declared.get(path) ?? []).filter(d => line >= d.first && line <= d.last);
    for (const word of words)
      if (!own.some(d => d.name === word)) most.set(word, Math.max(most.get(word) ?? 0, score));
  }
  const found = new Map(suspects.map(s => [keyOf(s), s]));
  for (const [path, values] of declared)
    for (const { name, first, last } of values) {
      const score = share * (most.get(name) ?? 0);
      if (score === 0 || last - first >= maxValue) continue;
      for (let line = first; line <= last; line++) {
        const key = keyOf({ path, line });
        if (score > (found.get(key)?.score ?? 0) && hasCode(linesOf.get(path)?.[line - 1] ?? ''))
          found.set(key, { path, line, score });
      }
    }
  return [...found.values()];
}

/** The suspects with header lines ranked after equal lines. */
export function withoutHeaders(
  suspects: readonly Suspect[],
  headers: ReadonlyMap<string, ReadonlySet<number>>,
): readonly Suspect[] {
  return suspects
    .map(s => (headers.get(s.path)?.has(s.line) ? { ...s, score: s.score * share } : s))
    .sort((a, b) => b.score - a.score);
}
