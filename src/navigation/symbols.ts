/** The symbols of a text, by a real parser; kept by content (SPEC §4, constitution §3.2). */
import type { Node, Tree, Parser as TreeParser } from 'web-tree-sitter';
import { type Language, languageOf, type SymbolKind } from './languages.ts';

export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Name of the class, module or type around it. */
  readonly container?: string;
}

export interface SyntaxError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The parser, the grammars and what they answered. */
export interface Symbols {
  /** Symbols in the order of the text; none for an unknown language or a text too large. */
  symbolsOf(path: string, text: string): Promise<readonly CodeSymbol[]>;
  /** Parse errors, at most 20. */
  syntaxErrors(path: string, text: string): Promise<readonly SyntaxError[] | 'unknown-language'>;
  /** Lines (1-based) that hold a name as code, not in a comment or a text; null: unknown language. */
  linesNaming(path: string, text: string, name: string): Promise<readonly number[] | null>;
  /** Names called inside a symbol, in the order of the text, each once. */
  callsOf(path: string, text: string, symbol: CodeSymbol): Promise<readonly string[]>;
  /** Looks at the syntax tree of a text, which is gone afterwards; null: unknown language or too large. */
  withTree<T>(path: string, text: string, look: (root: Node) => T): Promise<T | null>;
}

/** Where parser and grammars come from: shipped files, outside of the bundle. */
export interface GrammarSource {
  /** Reads `web-tree-sitter.wasm` (the runtime) or `tree-sitter-<grammar>.wasm`. */
  readonly readGrammar: (file: string) => Promise<Uint8Array>;
  /** Loads the parser library. */
  readonly loadParser: () => Promise<typeof import('web-tree-sitter')>;
}

const maxText = 1_000_000;
const maxLine = 20_000;
const maxCached = 2_000;
const maxErrors = 20;

/** Opens the index. Nothing is loaded before the first question about a known language. */
export function openSymbols(source: GrammarSource): Symbols {
  const cache = new Map<string, readonly CodeSymbol[]>();
  const parse = parserOf(source);
  return {
    symbolsOf: async (path, text) => {
      const language = languageOf(path);
      if (language === null || isTooLarge(text)) return [];
      const key = `${language.grammar}\0${text}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const symbols = await parse(language, text, root => collect(root, language));
      if (cache.size >= maxCached) cache.clear();
      cache.set(key, symbols);
      return symbols;
    },
    syntaxErrors: async (path, text) => {
      const language = languageOf(path);
      if (language === null || isTooLarge(text)) return 'unknown-language';
      return parse(language, text, root => (root.hasError ? errorsBelow(root) : []));
    },
    linesNaming: async (path, text, name) => {
      const language = languageOf(path);
      if (language === null || isTooLarge(text)) return null;
      return parse(language, text, root => linesOf(root, text, name));
    },
    callsOf: async (path, text, symbol) => {
      const language = languageOf(path);
      if (language === null || isTooLarge(text)) return [];
      return parse(language, text, root => callsBetween(root, language, symbol));
    },
    withTree: async (path, text, look) => {
      const language = languageOf(path);
      return language === null || isTooLarge(text) ? null : parse(language, text, look);
    },
  };
}

function isTooLarge(text: string): boolean {
  return text.length > maxText || text.split('\n').some(line => line.length > maxLine);
}

type Parse = <T>(language: Language, text: string, look: (root: Node) => T) => Promise<T>;

/** Parses with the grammar of a language; the tree is freed before the answer is given. */
function parserOf({ readGrammar, loadParser }: GrammarSource): Parse {
  let runtime: Promise<typeof import('web-tree-sitter')> | null = null;
  const parsers = new Map<string, Promise<TreeParser>>();
  const load = async () => {
    const library = await loadParser();
    const wasmBinary = await readGrammar('web-tree-sitter.wasm');
    await library.Parser.init({ wasmBinary });
    return library;
  };
  const open = async (grammar: string) => {
    runtime ??= load();
    const library = await runtime;
    const parser = new library.Parser();
    parser.setLanguage(
      await library.Language.load(await readGrammar(`tree-sitter-${grammar}.wasm`)),
    );
    return parser;
  };
  return async (language, text, look) => {
    const parser = parsers.get(language.grammar) ?? open(language.grammar);
    parsers.set(language.grammar, parser);
    const tree: Tree | null = (await parser).parse(text);
    if (tree === null) throw new Error('the parser gave no tree');
    try {
      return look(tree.rootNode);
    } finally {
      tree.delete();
    }
  };
}

function collect(root: Node, language: Language): readonly CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  const visit = (node: Node, container: string | undefined, depth: number) => {
    for (const child of node.namedChildren) {
      if (child === null || depth > 12) continue;
      const kind = kindOf(child, language, container);
      if (kind === null) {
        if (language.transparent.includes(child.type)) visit(child, container, depth + 1);
        continue;
      }
      const name = nameOf(child);
      if (name !== null) symbols.push(symbolAt(child, { name, kind, container }));
      if ('CINE'.includes(kind)) visit(bodyOf(child), name ?? container, depth + 1);
    }
  };
  visit(root, undefined, 0);
  return symbols;
}

/** A prototype of C, or a method that a class of C++ declares. */
function declaresFunction(node: Node): boolean {
  for (
    let at = node.childForFieldName('declarator');
    at !== null;
    at = at.childForFieldName('declarator')
  )
    if (at.type === 'function_declarator') return true;
  return false;
}

function bodyOf(node: Node): Node {
  return node.childForFieldName('body') ?? node;
}

/** What a node defines; assignments count at the top level only, functions in a class are methods. */
function kindOf(node: Node, language: Language, container: string | undefined): SymbolKind | null {
  const kind = Object.hasOwn(language.definitions, node.type)
    ? (language.definitions[node.type] ?? null)
    : null;
  if (/^(declaration|field_declaration)$/.test(node.type)) {
    if (declaresFunction(node)) return container === undefined ? 'F' : 'M';
    return container === undefined ? 'V' : null;
  }
  if (kind === 'V') {
    const value = node.childForFieldName('value')?.type ?? '';
    if (/function|arrow/.test(value)) return container === undefined ? 'F' : 'M';
    if (/^(class|class_expression)$/.test(value)) return 'C';
    return container === undefined ? 'V' : null;
  }
  return kind === 'F' && container !== undefined && language.grammar !== 'php' ? 'M' : kind;
}

const nameFields = ['name', 'property', 'left', 'type'];
const nameTypes = /^(simple_identifier|type_identifier|identifier|variable_declaration|pattern)$/;

/** The node that names a definition: by its declarator (C), by a field, or by the kind of its child. */
function nameNode(node: Node): Node | null {
  const declarator = node.childForFieldName('declarator');
  if (declarator !== null) return nameNode(declarator) ?? declarator;
  const field = nameFields.map(f => node.childForFieldName(f)).find(n => n !== null);
  if (field !== undefined && field !== null) return field;
  const child = node.namedChildren.find(c => c !== null && nameTypes.test(c.type)) ?? null;
  return child?.type === 'variable_declaration' ? nameNode(child) : child;
}

function nameOf(node: Node): string | null {
  const text = nameNode(node)?.text.split('\n')[0]?.slice(0, 120) ?? '';
  return /^[\p{L}_$#@~][\p{L}\p{N}_$#?!=.:<>, ]*$/u.test(text) ? text : null;
}

function symbolAt(
  node: Node,
  about: { name: string; kind: SymbolKind; container: string | undefined },
): CodeSymbol {
  const { name, kind, container } = about;
  const outer = /^(export_statement|decorated_definition)$/.test(node.parent?.type ?? '')
    ? (node.parent ?? node)
    : node;
  const range = { startLine: outer.startPosition.row + 1, endLine: lastLine(outer) };
  return container === undefined ? { name, kind, ...range } : { name, kind, ...range, container };
}

/** A node that ends with its line's newline ends on that line. */
function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return Math.max(node.startPosition.row + 1, column === 0 ? row : row + 1);
}

function errorsBelow(root: Node): readonly SyntaxError[] {
  const errors: SyntaxError[] = [];
  const visit = (node: Node) => {
    if (errors.length >= maxErrors) return;
    // what a grammar inserts by itself (a line end that is none) is no error of the text
    if (node.isMissing && node.type.startsWith('_')) return;
    if (node.isError || node.isMissing) {
      const message = node.isMissing
        ? `missing ${node.type}`
        : `unexpected ${JSON.stringify(node.text.slice(0, 40))}`;
      errors.push({
        line: node.startPosition.row + 1,
        column: node.startPosition.column + 1,
        message,
      });
      return;
    }
    for (const child of node.children) if (child?.hasError) visit(child);
  };
  visit(root);
  return errors;
}

function callsBetween(root: Node, language: Language, symbol: CodeSymbol): readonly string[] {
  const names = new Set<string>();
  for (const node of root.descendantsOfType(Object.keys(language.calls))) {
    const row = node === null ? 0 : node.startPosition.row + 1;
    if (node === null || row < symbol.startLine || row > symbol.endLine) continue;
    const field = language.calls[node.type] ?? '';
    const called =
      (field === '' ? node.firstNamedChild : node.childForFieldName(field))?.text ?? '';
    const last = /[\w$]+[!?]?$/.exec(called)?.[0];
    if (last !== undefined) names.add(last);
  }
  return [...names];
}

const notCode = /comment|string|regex|template_chars|text|heredoc_content|character/;
const interpolated = /interpolation|substitution|interpolated_expression|expansion/;

/** Where the text holds the name as a word, and the syntax there is a name. */
function linesOf(root: Node, text: string, name: string): readonly number[] {
  const lines = new Set<number>();
  for (const [row, line] of text.split('\n').entries()) {
    for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
      if (isWordAt(line, at, name) && isCode(root, { row, column: at })) lines.add(row + 1);
    }
  }
  return [...lines];
}

function isWordAt(line: string, at: number, name: string): boolean {
  const part = /[\p{L}\p{N}_$]/u;
  return !part.test(line[at - 1] ?? ' ') && !part.test(line[at + name.length] ?? ' ');
}

/** The innermost node there, and those around it up to an interpolation, are neither comment nor text. */
function isCode(root: Node, point: { row: number; column: number }): boolean {
  for (let node = root.descendantForPosition(point); node !== null; node = node.parent) {
    if (interpolated.test(node.type)) return true;
    if (notCode.test(node.type) && node.type !== 'jsx_text') return false;
    if (/statement|declaration|definition/.test(node.type)) return true;
  }
  return true;
}
