/** Parses texts with tree-sitter and finds their symbols. Results are cached by content, so that they are never out of date. */
import { createHash } from 'node:crypto';
import type { Node, Query, Tree, Parser as TreeParser } from 'web-tree-sitter';
import { memoize } from '../base/once.ts';
import { type CodeSymbol, findSymbols } from './definitions.ts';
import { detectLanguage, type Language } from './languages.ts';

/** An error of a parser; lines and columns count from 1. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The symbol index. */
export interface Symbols {
  /** The symbols in the order of the text; none for an unknown language or a text that is too large. */
  listSymbols(path: string, text: string): Promise<readonly CodeSymbol[]>;
  /** Parse errors, at most 20. */
  syntaxErrors(path: string, text: string): Promise<readonly SyntaxProblem[] | 'unknown-language'>;
  /** Lines, counted from 1, that hold a name in code, not in a comment or a string; undefined for a text that is not parsed, and for too many uses. */
  linesNaming(path: string, text: string, name: string): Promise<readonly number[] | undefined>;
  /** Calls `look` with the syntax tree of a text, which is freed afterwards; undefined for a text that is not parsed. */
  withTree<T>(path: string, text: string, look: (root: Node) => T): Promise<T | undefined>;
  /** Why a text in a known language was not parsed, as far as it is known; otherwise undefined. */
  notParsed(path: string, text: string): string | undefined;
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
/** Most steps for one text, as tree-sitter counts them. Code of 700,000 characters takes less. */
const maxSteps = 20_000;
/** Longest that the steps for one text, or the lookups around a name, may take: of processor time, so that a busy machine does not count. */
const maxParseMs = 2_000;

/** Opens the index. It loads nothing before the first text in a known language. */
export function openSymbols(source: GrammarSource): Symbols {
  const cache = new Map<string, readonly CodeSymbol[]>();
  const slow = new Set<string>();
  const parse = opened.get(source) ?? openParsers(source);
  opened.set(source, parse);
  const keyOf = ({ language, text }: ParsedText) =>
    createHash('sha1').update(`${language.grammar}\0${text}`).digest('hex');
  const isSlow = (parsed: ParsedText) => slow.size > 0 && slow.has(keyOf(parsed));
  /** What `look` finds in a text; undefined for one that is not parsed. */
  const read = async <T>(parsed: ParsedText | undefined, look: Look<T>): Promise<T | undefined> => {
    if (parsed === undefined || isSlow(parsed)) return undefined;
    const found = await parse(parsed, look);
    if (isUsedUp(parsed)) {
      if (slow.size >= maxCached) slow.clear();
      slow.add(keyOf(parsed));
    }
    return found;
  };
  return {
    listSymbols: async (path, text) => {
      const parsed = parsedText(detectLanguage(path, text), text);
      const key = parsed === undefined ? '' : keyOf(parsed);
      const known = cache.get(key);
      if (parsed === undefined || known !== undefined) return known ?? [];
      const symbols = (await read(parsed, findSymbols)) ?? [];
      if (cache.size >= maxCached) cache.clear();
      cache.set(key, symbols);
      return symbols;
    },
    syntaxErrors: async (path, text) =>
      (await read(parsedText(detectLanguage(path, text), text), root =>
        root.hasError ? errorsBelow(root) : [],
      )) ?? 'unknown-language',
    linesNaming: (path, text, name) =>
      read(parsedText(detectLanguage(path, text), text), root => findLines(root, text, name)),
    withTree: (path, text, look) => read(parsedText(detectLanguage(path), text), look),
    notParsed: (path, text) => {
      const language = detectLanguage(path, text);
      const parsed = parsedText(language, text);
      if (parsed !== undefined)
        return isSlow(parsed) ? 'not parsed, because it would take too long' : undefined;
      return language === undefined
        ? undefined
        : `not parsed, because it has more than ${maxText} characters, or a line of more than ${maxLine}`;
    },
  };
}

/** True for a text that is not parsed: above a megabyte, or with a line as only generated files have. */
export function isTooLarge(text: string): boolean {
  return text.length > maxText || text.split('\n').some(line => line.length > maxLine);
}

interface ParsedText {
  readonly language: Language;
  readonly text: string;
  /** What parses of it may still take; negative when they took too much. */
  readonly steps: { left: number; leftMs: number };
}

/** Undefined for an unknown language, and for a text that is too large. */
function parsedText(language: Language | undefined, text: string): ParsedText | undefined {
  return language === undefined || isTooLarge(text)
    ? undefined
    : { language, text, steps: { left: maxSteps, leftMs: maxParseMs } };
}

function isUsedUp({ steps }: Pick<ParsedText, 'steps'>): boolean {
  return steps.left < 0 || steps.leftMs < 0;
}

/** Looks at a tree, with the query of its language for definitions. */
type Look<T> = (root: Node, query: Query) => T;

/** Parses and looks at the tree, which is freed before the result is returned. Undefined when it takes too many steps. */
type Parse = <T>(parsed: ParsedText, look: Look<T>) => Promise<T | undefined>;

/**
 * The parsers of a process, by the shipped files that they are loaded from. The library gives the memory of a grammar
 * back when the process ends, and not before, so a run that loaded its own would only add to it.
 */
const opened = new WeakMap<GrammarSource, Parse>();

function openParsers({ readGrammar, readQuery, loadParser }: GrammarSource): Parse {
  const loadLibrary = memoize(async () => {
    const library = await loadParser();
    await library.Parser.init({ wasmBinary: await readGrammar('web-tree-sitter.wasm') });
    return library;
  });
  const open = memoize(async key => {
    const [grammar, ...queries] = key.split(' ');
    const library = await loadLibrary();
    const language = await library.Language.load(await readGrammar(`tree-sitter-${grammar}.wasm`));
    const parser: TreeParser = new library.Parser();
    parser.setLanguage(language);
    const texts = await Promise.all(queries.map(readQuery));
    return { parser, query: new library.Query(language, texts.join('\n')) };
  });
  return async ({ language, text, steps }, look) => {
    const { parser, query } = await open([language.grammar, ...language.queries].join(' '));
    if (isUsedUp({ steps })) return undefined;
    const endMs = cpuMs() + steps.leftMs;
    const progressCallback = () => {
      steps.left -= 1;
      steps.leftMs = endMs - cpuMs();
      return isUsedUp({ steps });
    };
    const tree: Tree | undefined = parser.parse(text, null, { progressCallback }) ?? undefined;
    if (tree === undefined) {
      parser.reset();
      return undefined;
    }
    try {
      return look(tree.rootNode, query);
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

/** The lines on which the name occurs as a word in code; undefined when it takes too long to look at the nodes around it. */
function findLines(root: Node, text: string, name: string): readonly number[] | undefined {
  const lines: number[] = [];
  const endMs = cpuMs() + maxParseMs;
  for (const [row, line] of text.split('\n').entries()) {
    for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
      if (cpuMs() > endMs) return undefined;
      if (!isWordAt(line, at, name) || !isCode(root, { row, column: at })) continue;
      lines.push(row + 1);
      break;
    }
  }
  return lines;
}

/** Processor time of this thread. */
function cpuMs(): number {
  return process.threadCpuUsage().user / 1000;
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
