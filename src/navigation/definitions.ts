/** Finds definitions in a parsed text, by the query of its language (`assets/queries/`). */
import type { Node, Query } from 'web-tree-sitter';
import type { SymbolKind } from './languages.ts';

export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Counted from 1, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Name of the enclosing class, module or type. */
  readonly container?: string;
}

const kinds: Readonly<Record<string, SymbolKind>> = {
  'definition.function': 'F',
  'definition.macro': 'F',
  'definition.method': 'M',
  'definition.class': 'C',
  'definition.interface': 'I',
  'definition.enum': 'E',
  'definition.type': 'T',
  'definition.module': 'N',
  'definition.variable': 'V',
  'definition.constant': 'V',
  'definition.property': 'V',
};

/** Kinds of symbols that contain other definitions. */
const scopes = 'CINE';
/** Maximum depth: bounds the recursion, and is far above what real code needs. */
const maxDepth = 60;
/** Most nodes that are searched inside, which a text of a million characters reaches only with one statement a line. */
const maxNodes = 50_000;

interface Around {
  readonly container: string | undefined;
  /** The node whose lines count as those of the definitions directly in it. */
  readonly whole: Node | undefined;
  readonly depth: number;
}

/** The symbols in the order of the text, without those that are local to a function. */
export function findSymbols(root: Node, query: Query): readonly CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  let nodes = 0;
  const visit = (node: Node, around: Around) => {
    nodes += 1;
    if (around.depth > maxDepth || nodes > maxNodes) return;
    const { container } = around;
    const depth = around.depth + 1;
    for (const item of itemsIn(node, query)) {
      const { definition } = item;
      if (definition === undefined) {
        visit(item.node, { container, whole: item.whole ? item.node : undefined, depth });
        continue;
      }
      const symbol = buildSymbol(definition, { range: around.whole ?? item.node, container });
      // what looks like a variable inside an error may be a field, or a part of an expression
      if (symbol !== undefined && !(symbol.kind === 'V' && node.isError)) symbols.push(symbol);
      if (scopes.includes(definition.kind))
        visit(item.node, { container: symbol?.name ?? container, whole: undefined, depth });
    }
  };
  visit(root, { container: undefined, whole: undefined, depth: 0 });
  return symbols;
}

interface Definition {
  readonly kind: SymbolKind;
  /** True for a variable, which counts at the top of a file only: a class shows its own fields. */
  readonly isField: boolean;
  readonly name: Node;
  /** The class that a method outside of its class names. */
  readonly owner: string | undefined;
}

interface Item {
  readonly node: Node;
  /** Undefined for a node to search inside. */
  readonly definition: Definition | undefined;
  /** True if definitions in it have its lines. */
  readonly whole: boolean;
}

/** What the patterns find among the children of a node. The first of several patterns for one name counts. */
function itemsIn(around: Node, query: Query): readonly Item[] {
  // one level at a time, so that no function body is searched
  const found = query.matches(around, { maxStartDepth: 1 });
  const matches = found.toSorted((a, b) => a.patternIndex - b.patternIndex);
  const items = new Map<number, Item>();
  // what the grammar does not understand may hold definitions all the same
  for (const node of around.hasError ? around.children : [])
    if (node?.isError) items.set(node.id, { node, definition: undefined, whole: false });
  const defining = new Set<number>();
  for (const { captures } of matches) {
    const main = captures.find(c => c.name === 'open' || c.name === 'whole' || c.name in kinds);
    if (main === undefined || main.node.id === around.id) continue;
    const { node } = main;
    const kind = kinds[main.name];
    if (kind === undefined) {
      const looked = { node, definition: undefined, whole: main.name === 'whole' };
      if (!defining.has(node.id)) items.set(node.id, looked);
      continue;
    }
    const named = captures.find(c => c.name === 'name');
    if (named === undefined) continue;
    defining.add(node.id);
    const { name, owner } = innermost(named.node);
    const outside = captures.find(c => c.name === 'container')?.node.text;
    const isField = main.name === 'definition.variable';
    const definition = {
      kind,
      isField,
      name,
      owner: outside === undefined ? owner : plainType(outside),
    };
    if (!items.has(name.id)) items.set(name.id, { node, definition, whole: false });
  }
  return [...items.values()].sort((a, b) => a.node.startIndex - b.node.startIndex);
}

/** The fields of a node that names a thing and its owner. A pattern that names them takes the library twice as long to open. */
const owned = new Map([
  ['qualified_identifier', ['scope', 'name']],
  ['member_expression', ['object', 'property']],
]);

/** The name inside a C declarator; for `A::f` and `A.f`, the last part and its owner. */
function innermost(named: Node): Pick<Definition, 'name' | 'owner'> {
  let name = named;
  let owner: string | undefined;
  for (;;) {
    const [outer, last] = owned.get(name.type) ?? [];
    if (outer !== undefined) owner = plainType(name.childForFieldName(outer)?.text ?? '') || owner;
    const inner = /^(reference|parenthesized)_declarator$/.test(name.type)
      ? name.firstNamedChild
      : name.childForFieldName(last ?? 'declarator');
    if (inner === null) return { name, owner };
    name = inner;
  }
}

/** `T` of `*T`, `T[K]`, `T<K>`. */
function plainType(text: string): string {
  return /[\p{L}_][\p{L}\p{N}_]*/u.exec(text)?.[0] ?? '';
}

function buildSymbol(
  { kind, isField, name, owner }: Definition,
  at: { readonly range: Node; readonly container: string | undefined },
): CodeSymbol | undefined {
  const text = nameText(name);
  const container = owner ?? at.container;
  if (text === undefined || (isField && container !== undefined)) return undefined;
  const own = kind === 'F' && container !== undefined ? 'M' : kind;
  const symbol = {
    name: text,
    kind: own,
    startLine: at.range.startPosition.row + 1,
    endLine: lastLine(at.range),
  };
  return container === undefined ? symbol : { ...symbol, container };
}

function nameText(name: Node): string | undefined {
  const text = name.text.split('\n')[0]?.slice(0, 120) ?? '';
  return /^[\p{L}_$#@~][\p{L}\p{N}_$#?!=.:<>, ]*$/u.test(text) ? text : undefined;
}

/** The last line of a node; a final newline belongs to its line. */
function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return Math.max(node.startPosition.row + 1, column === 0 ? row : row + 1);
}
