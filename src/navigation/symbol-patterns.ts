/** Matches the definitions of the queries in `assets/queries/`: tree-sitter's own take up to 150 ms to compile. */
import type { Node } from 'web-tree-sitter';

/** A pattern that fits, with the nodes of its captures. */
export interface PatternMatch {
  /** Position of the pattern in the file. */
  readonly patternIndex: number;
  readonly captures: readonly Capture[];
}

interface Capture {
  readonly name: string;
  readonly node: Node;
}

export interface SymbolPatterns {
  /** The matches that begin at a node that is no token, or at one of its children. */
  matches(around: Node): readonly PatternMatch[];
  /** The patterns of calls, as a query of tree-sitter. */
  readonly calls: string;
}

interface Pattern {
  /** Types of nodes with a name that fit, since a keyword can have the same one; `named` for every node with a name, `any` for each. */
  readonly types: readonly string[] | 'named' | 'any';
  /** The field of the parent that holds it. */
  readonly field: string | null;
  /** True when it must be the first child that has a name. */
  readonly isFirst: boolean;
  readonly children: readonly Pattern[];
  /** Fields that must be missing. */
  readonly without: readonly string[];
  readonly captures: readonly string[];
}

/** Parses the text of a query, in the part of the syntax that the files use. */
export function parsePatterns(text: string): SymbolPatterns {
  const source = text.replace(/^;.*$/gm, '');
  const tokens = [...source.matchAll(/[()[\].]|![\w]+|@[\w.]+|\w+:|\w+/g)];
  const read = readerOf(tokens.map(t => t[0]));
  const byType = new Map<string, { readonly index: number; readonly pattern: Pattern }[]>();
  const calls: string[] = [];
  for (let index = 0; !read.atEnd(); index++) {
    const from = tokens[read.position()]?.index;
    const pattern = read.pattern();
    if (pattern.captures.some(name => name.startsWith('reference.'))) {
      calls.push(source.slice(from, tokens[read.position()]?.index));
      continue;
    }
    for (const type of typesOf(pattern))
      byType.set(type, [...(byType.get(type) ?? []), { index, pattern }]);
  }
  return {
    calls: calls.join('\n'),
    matches: around =>
      [around, ...around.namedChildren].flatMap(node =>
        (byType.get(node.type) ?? []).flatMap(({ index, pattern }) =>
          capturesOf(pattern, node).map(captures => ({ patternIndex: index, captures })),
        ),
      ),
  };
}

function typesOf({ types }: Pattern): readonly string[] {
  if (typeof types === 'string') throw new Error('A pattern begins with the type of a node.');
  return types;
}

/** Reads patterns, one after the other. */
function readerOf(tokens: readonly string[]) {
  let at = 0;
  const skip = (token: string) => tokens[at] === token && ++at > 0;
  const expect = (token: string) => {
    if (!skip(token)) throw new Error(`A query has ${tokens[at]} in place of ${token}.`);
  };
  const captures = () => {
    const names: string[] = [];
    for (; tokens[at]?.startsWith('@'); at++) names.push((tokens[at] ?? '').slice(1));
    return names;
  };
  const child = (): Pattern => {
    const isFirst = skip('.');
    const field = tokens[at]?.endsWith(':') ? (tokens[at++] ?? '').slice(0, -1) : null;
    return { ...pattern(), field, isFirst };
  };
  const pattern = (): Pattern => {
    const plain = { field: null, isFirst: false, children: [], without: [] };
    if (skip('_')) return { ...plain, types: 'any', captures: captures() };
    if (skip('[')) {
      const types: string[] = [];
      while (!skip(']')) types.push(...typesOf(pattern()));
      return { ...plain, types, captures: captures() };
    }
    expect('(');
    const type = tokens[at++] ?? '';
    const children: Pattern[] = [];
    const without: string[] = [];
    while (!skip(')'))
      if (tokens[at]?.startsWith('!')) without.push((tokens[at++] ?? '').slice(1));
      else children.push(child());
    const types = type === '_' ? ('named' as const) : [type];
    return { ...plain, types, children, without, captures: captures() };
  };
  return { pattern, position: () => at, atEnd: () => at >= tokens.length };
}

/** The captures of each way in which a pattern fits a node. */
function capturesOf(pattern: Pattern, node: Node): readonly (readonly Capture[])[] {
  if (pattern.without.some(field => node.childForFieldName(field) !== null)) return [];
  let ways: readonly (readonly Capture[])[] = [pattern.captures.map(name => ({ name, node }))];
  for (const child of pattern.children) {
    const found = nodesFor(child, node).flatMap(each => capturesOf(child, each));
    ways = ways.flatMap(way => found.map(more => [...way, ...more]));
    if (ways.length === 0) break;
  }
  return ways;
}

/** The children of a node that a pattern could fit. */
function nodesFor({ types, field, isFirst }: Pattern, parent: Node): readonly Node[] {
  const children = field === null ? parent.children : parent.childrenForFieldName(field);
  const first = isFirst ? parent.firstNamedChild?.id : null;
  return children.filter(
    node =>
      (first === null || node.id === first) &&
      (types === 'any' || node.isNamed) &&
      (typeof types === 'string' ? !node.isError : types.includes(node.type)),
  );
}
