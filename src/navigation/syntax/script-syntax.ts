/** Judges JavaScript, TypeScript and JSX with Babel's parser, which is loaded at the first such file. */
import type { ParseError, ParserOptions, ParserPlugin } from '@babel/parser';
import type { SyntaxProblem } from '../symbols.ts';

type BabelParser = typeof import('@babel/parser');

/**
 * Nested parentheses, each after a `<` of the level around it, up to which TypeScript is parsed. Each such level can
 * double the time, because the parser tries it as type arguments first: 10 levels take 40 ms, 16 take two seconds.
 */
const maxAmbiguousLevels = 10;

/** True for a file that `scriptErrors` judges. */
export function isScript(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/i.test(path);
}

/** The errors of a text as a module or as a script, whichever has none; undefined when the parser could not judge it. */
export async function scriptErrors(
  path: string,
  text: string,
): Promise<readonly SyntaxProblem[] | undefined> {
  const isTyped = /\.(?:[cm]?ts|tsx)$/i.test(path);
  if (isTyped && Math.max(...readAsCode.map(c => ambiguousLevels(text, c))) > maxAmbiguousLevels)
    return undefined;
  const parser = await import('@babel/parser');
  try {
    return errorsOfAnyReading(parser, { path, text, isTyped });
  } catch {
    return undefined; // nested too deep for the stack
  }
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
  { parse }: BabelParser,
  given: { readonly path: string; readonly text: string; readonly isTyped: boolean },
): readonly SyntaxProblem[] {
  const { path, text, isTyped } = given;
  let first: readonly SyntaxProblem[] | undefined;
  for (const options of readings(path, isTyped)) {
    const errors = collectErrors(() => parse(text, options).errors ?? [])
      .filter(e => !isTyped || isFatal(e) || structural.has(e.reasonCode))
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

function isFatal(error: FoundError): boolean {
  return error.fatal === true;
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
