/** Judges whether a text parses: by a parser of the whole language where there is one, else by the index's grammar. */
import { basename } from 'node:path';
import type { ParseError, ParserOptions, ParserPlugin } from '@babel/parser';
import { attempt } from '../../base/system-errors.ts';
import { isTooLarge, type Symbols, type SyntaxProblem } from '../symbols.ts';
import { findProgramParser, type ProgramRunner } from './program-syntax.ts';

/** What one parser found in a text. */
export interface SyntaxReport {
  readonly parser: string;
  /**
   * True for a parser that accepts the whole language, as its compiler does. Only its errors are certain:
   * the grammars of the index do not know all of any language, so theirs are hints.
   */
  readonly complete: boolean;
  /** At most 20. */
  readonly errors: readonly SyntaxProblem[];
}

/** Judges texts; the same text gives the same report, and is parsed once. */
export interface SyntaxChecker {
  /** Undefined when no parser knows the language, or the text is too large. */
  check(path: string, text: string): Promise<SyntaxReport | undefined>;
}

const maxErrors = 20;
const maxCached = 200;

/** Opens the checker. Without a runner, Python, Go, Ruby and PHP are judged by the grammars of the index alone. */
export function openSyntaxChecker(
  symbols: Symbols,
  runner: ProgramRunner | undefined,
): SyntaxChecker {
  const cache = new Map<string, Promise<SyntaxReport | undefined>>();
  return {
    check: (path, text) => {
      const key = `${path}\0${text}`;
      const report = cache.get(key) ?? judge({ path, text }, { symbols, runner });
      if (cache.size >= maxCached) cache.clear();
      cache.set(key, report);
      return report;
    },
  };
}

interface Text {
  readonly path: string;
  readonly text: string;
}

async function judge(
  { path, text }: Text,
  { symbols, runner }: { readonly symbols: Symbols; readonly runner: ProgramRunner | undefined },
): Promise<SyntaxReport | undefined> {
  if (isTooLarge(text)) return undefined;
  const certain = await completeErrors({ path, text }, runner);
  if (certain !== undefined)
    return { ...certain, complete: true, errors: certain.errors.slice(0, maxErrors) };
  const errors = await symbols.syntaxErrors(path, text);
  return errors === 'unknown-language'
    ? undefined
    : { parser: 'the grammar of the index', complete: false, errors };
}

/** Undefined when no complete parser is there for the language, or it could not judge this text. */
async function completeErrors({ path, text }: Text, runner: ProgramRunner | undefined) {
  if (isScript(path)) return makeReport('@babel/parser', await scriptErrors(path, text));
  if (/\.jsonc?$/i.test(path)) return makeReport('JSON', jsonErrors(path, text));
  const program = findProgramParser(path);
  if (program === undefined || runner === undefined) return undefined;
  const printed = await runner(program, text);
  return makeReport(program.program, printed === undefined ? undefined : program.read(printed));
}

function makeReport(parser: string, errors: readonly SyntaxProblem[] | undefined) {
  return errors === undefined ? undefined : { parser, errors };
}

/** Files that npm and Composer read, which know neither comments nor trailing commas. */
const strict = new Set(['package.json', 'package-lock.json', 'composer.json', 'composer.lock']);

const comment = /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const lastComma = /("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g;

/** The error of a JSON text, or none. Blanks stand in for what only lenient readers accept. */
function jsonErrors(path: string, text: string): readonly SyntaxProblem[] {
  const blank = (whole: string, kept?: string) => kept ?? whole.replace(/\S/g, ' ');
  const isStrict = strict.has(basename(path));
  const plain = isStrict ? text : text.replace(comment, blank).replace(lastComma, blank);
  try {
    JSON.parse(plain);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const above = plain.slice(0, findPlace(plain, message)).split('\n');
    return [{ line: above.length, column: (above.at(-1)?.length ?? 0) + 1, message }];
  }
}

/** Where `JSON.parse` found the error: some of its messages say so, and the others quote what is around it. */
function findPlace(text: string, message: string): number {
  const at = /at position (\d+)/.exec(message)?.[1];
  if (at !== undefined) return Number(at);
  const [, token = '', cut, near = ''] =
    /^Unexpected token '(.+?)', (\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/su.exec(message) ?? [];
  if (near === '') return text.length;
  return text.indexOf(near) + (cut === undefined ? near.indexOf(token) : near.indexOf(token, 10));
}

/**
 * Nested parentheses, each after a `<` of the level around it, up to which TypeScript is parsed. Each such level can
 * double the time, because the parser tries it as type arguments first: 10 levels take 40 ms, 16 take two seconds.
 */
const maxAmbiguousLevels = 10;

/** True for a file that `scriptErrors` judges. */
function isScript(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/i.test(path);
}

/** The errors of a text as a module or as a script, whichever has none; undefined when the parser could not judge it. */
async function scriptErrors(
  path: string,
  text: string,
): Promise<readonly SyntaxProblem[] | undefined> {
  const isTyped = /\.(?:[cm]?ts|tsx)$/i.test(path);
  if (isTyped && Math.max(...readAsCode.map(c => ambiguousLevels(text, c))) > maxAmbiguousLevels)
    return undefined;
  const parser = await import('@babel/parser');
  // a text can be nested too deep for the stack
  return attempt(() => errorsOfAnyReading(parser, { path, text, isTyped }));
}

/** The signs of a text: of all of it, and without comments and strings, since these may hide where a level ends. */
const readAsCode = [
  /[<()]/g,
  /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[<()]/g,
] as const;

/** How deep the parentheses are nested that follow a `<` in the level around them. */
function ambiguousLevels(text: string, signs: RegExp): number {
  const levels = [{ depth: 0, hasLess: false }];
  let deepest = 0;
  for (const [character] of text.matchAll(signs)) {
    if (character.length > 1) continue;
    const level = levels.at(-1) as { depth: number; hasLess: boolean };
    if (character === '<') level.hasLess = true;
    else if (character === ')') levels.length = Math.max(1, levels.length - 1);
    else {
      const depth = level.depth + (level.hasLess ? 1 : 0);
      levels.push({ depth, hasLess: false });
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

function errorsOfAnyReading(
  { parse }: typeof import('@babel/parser'),
  given: { readonly path: string; readonly text: string; readonly isTyped: boolean },
): readonly SyntaxProblem[] {
  const { path, text, isTyped } = given;
  let first: readonly SyntaxProblem[] | undefined;
  for (const options of readings(path, isTyped)) {
    const errors = collectErrors(() => parse(text, options).errors ?? [])
      .filter(e => !isTyped || e.fatal || structural.has(e.reasonCode))
      .map(e => ({
        line: e.loc.line,
        column: e.loc.column + 1,
        message: e.message.replace(/ \(\d+:\d+\)$/, ''),
      }));
    if (errors.length === 0) return [];
    first ??= errors;
  }
  return first ?? [];
}

interface FoundError {
  readonly reasonCode: string;
  readonly message: string;
  readonly loc: { readonly line: number; readonly column: number };
  /** True for the error at which the parser gave up. */
  readonly fatal?: boolean;
}

/** @throws RangeError when the text is nested too deep. */
function collectErrors(parse: () => readonly ParseError[]): readonly FoundError[] {
  try {
    return parse() as readonly unknown[] as readonly FoundError[];
  } catch (error) {
    if (!(error instanceof Error) || !('loc' in error)) throw error;
    return [Object.assign(error, { fatal: true }) as unknown as FoundError];
  }
}

/**
 * The errors from which the parser recovers that TypeScript's own parser reports, too. The others, such as a
 * name declared twice, are those of its type checker: they depend on other declarations, and a comment can allow them.
 */
const structural = new Set([
  'InvalidCodePoint',
  'InvalidDigit',
  'InvalidEscapeSequence',
  'MissingInterfaceName',
  'MissingSemicolon',
  'NoCatchOrFinally',
  'UnexpectedNumericSeparator',
  'UnexpectedToken',
  'UnexpectedTokenUnaryExponentiation',
]);

/** How a text may be meant: as a module or a script, with decorators of TypeScript or of the standard. */
function readings(path: string, isTyped: boolean): readonly ParserOptions[] {
  const extension = /(?<![^.])[^.]*$/.exec(path.toLowerCase())?.[0] ?? '';
  const dts = /\.d(?:\.[^./]+)?\.[cm]?ts$/i.test(path);
  const language: ParserPlugin[] = [];
  if (isTyped) language.push(['typescript', { dts }]);
  if (!isTyped || extension === 'tsx') language.push('jsx');
  const forms = [
    ['module', 'decorators-legacy'],
    ['module', 'decorators'],
    ['script', 'decorators-legacy'],
  ] as const;
  return forms.map(([sourceType, decorators]) => ({
    sourceType,
    plugins: [
      'decoratorAutoAccessors',
      'sourcePhaseImports',
      'deferredImportEvaluation',
      decorators,
      ...language,
    ],
    errorRecovery: true,
    attachComment: false,
    // a file may be a part of a program, or run inside a function
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowNewTargetOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
  }));
}
