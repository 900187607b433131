/** Judges whether a text parses: by a parser of the whole language where there is one, else by the index's grammar. */
import { isTooLarge, type Symbols, type SyntaxProblem } from '../symbols.ts';
import { jsonErrors } from './json-syntax.ts';
import { findProgramParser, type ProgramRunner } from './program-syntax.ts';
import { isScript, scriptErrors } from './script-syntax.ts';

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
  /** Null when no parser knows the language, or the text is too large. */
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

/** Null when no complete parser is there for the language, or it could not judge this text. */
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
