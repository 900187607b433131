/** Parses texts with tree-sitter and finds their symbols. Results are cached by content, so that they are never out of date. */
import type { Node, Query, Tree, Parser as TreeParser } from 'web-tree-sitter';
import { once } from '../base/once.ts';
import { type CodeSymbol, findCalls, findSymbols } from './definitions.ts';
import { type Language, languageOf } from './languages.ts';
import { joinSymbols, partsAroundErrors } from './recover-symbols.ts';
import { parsePatterns, type SymbolPatterns } from './symbol-patterns.ts';

/** An error of a parser; lines and columns count from 1. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The symbol index. */
export interface Symbols {
  /** Loads the grammar of a text, which the first call for its language does otherwise. */
  load(path: string, text: string): Promise<void>;
  /** The symbols in the order of the text; none for an unknown language or a text that is too large. */
  symbolsOf(path: string, text: string): Promise<readonly CodeSymbol[]>;
  /** Parse errors, at most 20. */
  syntaxErrors(path: string, text: string): Promise<readonly SyntaxProblem[] | 'unknown-language'>;
  /** Lines, counted from 1, that hold a name in code, not in a comment or a string; null for an unknown language. */
  linesNaming(path: string, text: string, name: string): Promise<readonly number[] | null>;
  /** The names that a symbol calls, in the order of the text, each once. */
  callsOf(path: string, text: string, symbol: CodeSymbol): Promise<readonly string[]>;
  /** Calls `look` with the syntax tree of a text, which is freed afterwards; null for a text that is not parsed. */
  withTree<T>(path: string, text: string, look: (root: Node) => T): Promise<T | null>;
  /** Why a text in a known language was not parsed, as far as it is known; otherwise null. */
  notParsed(path: string, text: string): string | null;
}

/** Reads the parser and the grammars, which are shipped as files outside of the bundle. */
export interface GrammarSource {
  /** Reads `web-tree-sitter.wasm` (the runtime) or `tree-sitter-<grammar>.wasm`. */
  readonly readGrammar: (file: string) => Promise<Uint8Array>;
  /** Reads `assets/queries/<name>.scm`. */
  readonly readQuery: (name: string) => Promise<string>;
  /** Loads the parser library. */
  readonly loadParser: () => Promise<typeof import('web-tree-sitter')>;
}

const maxText = 1_000_000;
const maxLine = 20_000;
const maxCached = 2_000;
const maxErrors = 20;
/** Most steps of one parse, as tree-sitter counts them. A text of 1 MB takes about 3,000. */
const maxSteps = 20_000;

/** Opens the index. It loads nothing before the first text in a known language. */
export function openSymbols(source: GrammarSource): Symbols {
  const cache = new Map<string, readonly CodeSymbol[]>();
  const parse = opened.get(source) ?? parserOf(source);
  opened.set(source, parse);
  return {
    load: async (path, text) => {
      const language = languageOf(path, text);
      if (language !== null) await parse(language, '', () => null);
    },
    symbolsOf: async (path, text) => {
      const language = languageOf(path, text);
      if (language === null || isTooLarge(text)) return [];
      const key = `${language.grammar}\0${text}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const symbols = await readSymbols(parse, language, text);
      if (cache.size >= maxCached) cache.clear();
      cache.set(key, symbols);
      return symbols;
    },
    syntaxErrors: async (path, text) => {
      const language = languageOf(path, text);
      if (language === null || isTooLarge(text)) return 'unknown-language';
      const errors = await parse(language, text, root => (root.hasError ? errorsBelow(root) : []));
      return errors ?? 'unknown-language';
    },
    linesNaming: async (path, text, name) => {
      const language = languageOf(path, text);
      if (language === null || isTooLarge(text)) return null;
      return parse(language, text, root => linesOf(root, text, name));
    },
    callsOf: async (path, text, symbol) => {
      const language = languageOf(path, text);
      if (language === null || isTooLarge(text)) return [];
      return (
        (await parse(language, text, (root, { calls }) => findCalls(root, calls(), symbol))) ?? []
      );
    },
    withTree: async (path, text, look) => {
      const language = languageOf(path);
      return language === null || isTooLarge(text) ? null : parse(language, text, look);
    },
    notParsed: (path, text) =>
      languageOf(path, text) !== null && isTooLarge(text)
        ? `not parsed, because it has more than ${maxText} characters, or a line of more than ${maxLine}`
        : null,
  };
}

/** The symbols of a text, also those after a parse error. */
async function readSymbols(
  parse: Parse,
  language: Language,
  text: string,
): Promise<readonly CodeSymbol[]> {
  const read = await parse(language, text, (root, { patterns }) => ({
    whole: findSymbols(root, patterns),
    parts: partsAroundErrors(root, text),
  }));
  const { whole, parts } = read ?? { whole: [], parts: [] };
  const found: (readonly CodeSymbol[])[] = [];
  for (const part of parts) {
    const symbols =
      (await parse(language, part.text, (root, { patterns }) => findSymbols(root, patterns))) ?? [];
    found.push(
      symbols.map(s => ({
        ...s,
        startLine: s.startLine + part.above,
        endLine: s.endLine + part.above,
      })),
    );
  }
  return joinSymbols(whole, found);
}

/** True for a text that is not parsed: above a megabyte, or with a line as only generated files have. */
export function isTooLarge(text: string): boolean {
  return text.length > maxText || text.split('\n').some(line => line.length > maxLine);
}

/** What finds symbols and calls in the syntax trees of a language. */
interface LanguageQueries {
  readonly patterns: SymbolPatterns;
  /** Compiled at its first use. */
  readonly calls: () => Query;
}

/** A parser with its queries, created once. */
interface LanguageParser {
  readonly parser: TreeParser;
  readonly queries: LanguageQueries;
}

type Parse = <T>(
  language: Language,
  text: string,
  look: (root: Node, queries: LanguageQueries) => T,
) => Promise<T | null>;

/**
 * The parsers of a process, by the shipped files that they are loaded from. The library gives the memory of a grammar
 * back when the process ends, and not before, so a run that loaded its own would only add to it.
 */
const opened = new WeakMap<GrammarSource, Parse>();

/** Parses with the grammar of a language; the tree is freed before the result is returned. Null when it takes too many steps. */
function parserOf({ readGrammar, readQuery, loadParser }: GrammarSource): Parse {
  let runtime: Promise<typeof import('web-tree-sitter')> | null = null;
  const parsers = new Map<string, Promise<LanguageParser>>();
  const load = async () => {
    const library = await loadParser();
    const wasmBinary = await readGrammar('web-tree-sitter.wasm');
    await library.Parser.init({ wasmBinary });
    return library;
  };
  const open = async ({ grammar, query }: Language) => {
    runtime ??= load().catch(error => {
      runtime = null; // the next text tries again
      throw error;
    });
    const library = await runtime;
    const read = await library.Language.load(await readGrammar(`tree-sitter-${grammar}.wasm`));
    const parser = new library.Parser();
    parser.setLanguage(read);
    const patterns = parsePatterns(await readQuery(query));
    return {
      parser,
      queries: { patterns, calls: once(() => new library.Query(read, patterns.calls)) },
    };
  };
  return async (language, text, look) => {
    const reader = parsers.get(language.grammar) ?? open(language);
    parsers.set(language.grammar, reader);
    reader.catch(() => parsers.delete(language.grammar)); // the next text tries again
    const { parser, queries } = await reader;
    let steps = 0;
    const progressCallback = () => {
      steps += 1;
      return steps > maxSteps;
    };
    const tree: Tree | null = parser.parse(text, null, { progressCallback });
    if (tree === null) {
      parser.reset();
      return null;
    }
    try {
      return look(tree.rootNode, queries);
    } finally {
      tree.delete();
    }
  };
}

function errorsBelow(root: Node): readonly SyntaxProblem[] {
  const errors: SyntaxProblem[] = [];
  const visit = (node: Node) => {
    if (errors.length >= maxErrors) return;
    // a token that the grammar inserts by itself, such as a line end, is not an error of the text
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

const notCode = /comment|string|regex|template_chars|text|heredoc_content|character/;
const interpolated = /interpolation|substitution|interpolated_expression|expansion/;

/** The lines on which the name occurs as a word in code. */
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

/** True if the innermost node, and those around it up to an interpolation, are neither comments nor strings. */
function isCode(root: Node, point: { row: number; column: number }): boolean {
  for (let node = root.descendantForPosition(point); node !== null; node = node.parent) {
    if (interpolated.test(node.type)) return true;
    if (notCode.test(node.type) && node.type !== 'jsx_text') return false;
    if (/statement|declaration|definition/.test(node.type)) return true;
  }
  return true;
}
