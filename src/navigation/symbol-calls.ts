/** Calls of the symbol index as data, so that a thread can make them. */
import type { CodeSymbol } from './definitions.ts';
import type { Symbols } from './symbols.ts';

/** The calls of the index that can be made in a thread, each with what it takes after path and text. */
export interface SymbolCalls {
  readonly symbolsOf: readonly [];
  readonly syntaxErrors: readonly [];
  readonly linesNaming: readonly [name: string];
  readonly callsOf: readonly [symbol: CodeSymbol];
}

/** One call of the index. */
export interface SymbolCall {
  readonly call: keyof SymbolCalls;
  readonly path: string;
  readonly text: string;
  readonly more: SymbolCalls[keyof SymbolCalls];
}

/** Makes the call. */
export function callSymbols(
  symbols: Symbols,
  { call, path, text, more }: SymbolCall,
): Promise<unknown> {
  const ask = symbols[call] as (...given: readonly unknown[]) => Promise<unknown>;
  return ask(path, text, ...more);
}
