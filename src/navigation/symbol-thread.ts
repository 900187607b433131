/** The symbol index with long texts in a thread of its own, which is ended when a text takes too long to parse. */
import { createHash } from 'node:crypto';
import { type ForeignThread, openForeignThread } from '../process/foreign-thread.ts';
import { languageOf } from './languages.ts';
import { callSymbols, type SymbolCall, type SymbolCalls } from './symbol-calls.ts';
import type { ThreadData } from './symbol-worker.ts';
import { type GrammarSource, openSymbols, type Symbols } from './symbols.ts';

/** Longest that one text may take. Files of 100 KB take well below a second. */
const maxParseMs = 3_000;
const maxSlow = 1_000;
/** Longest text that is parsed without the thread: that takes milliseconds, and to start the thread takes longer. */
const maxQuickChars = 16_000;
/** Grammars that take seconds for some short texts. */
const slowGrammars: ReadonlySet<string> = new Set(['swift', 'kotlin', 'cpp', 'c-sharp']);

export interface SymbolThreadOptions {
  /** Folder of Photon. */
  readonly root: string;
  /** Longest that the first text may take; each that took too long shortens the time of the next ones. */
  readonly maxMs?: number;
}

/** The index of a run; its thread ends with it. */
export interface SymbolThread extends Symbols {
  /** Ends the thread; a text that is not parsed by then stays without an answer of the thread. */
  close(): Promise<void>;
}

/** Opens the index. The thread starts with the first text that may take long, and holds no process. */
export function openSymbolThread(
  source: GrammarSource,
  { root, maxMs = maxParseMs }: SymbolThreadOptions,
): SymbolThread {
  const here = openSymbols(source);
  const slow = new Set<string>();
  const { ask, close } = openThread(root);
  const keyOf = (path: string, text: string) =>
    createHash('sha1')
      .update(`${languageOf(path, text)?.grammar}\0${text}`)
      .digest('hex');
  const isSlow = (path: string, text: string) => slow.size > 0 && slow.has(keyOf(path, text));
  /** The answer of the thread, or `otherwise` for a text that is not parsed. */
  const call = async <C extends keyof SymbolCalls, T>(
    request: SymbolCall & { readonly call: C; readonly more: SymbolCalls[C] },
    otherwise: T,
  ): Promise<T> => {
    const { path, text } = request;
    const language = languageOf(path, text);
    if (language === null || here.notParsed(path, text) !== null) return otherwise;
    if (text.length <= maxQuickChars && !slowGrammars.has(language.grammar))
      return callSymbols(here, request) as Promise<T>;
    // asked in turn, because an earlier request for the same text may find it too slow
    const given = await ask(request, () => (isSlow(path, text) ? null : maxMs / (slow.size + 1)));
    if (given !== null) return given.result as T;
    if (slow.size < maxSlow) slow.add(keyOf(path, text));
    return otherwise;
  };
  return {
    load: async () => {},
    symbolsOf: (path, text) => call({ call: 'symbolsOf', path, text, more: [] }, []),
    syntaxErrors: (path, text) =>
      call({ call: 'syntaxErrors', path, text, more: [] }, 'unknown-language'),
    linesNaming: (path, text, name) =>
      call({ call: 'linesNaming', path, text, more: [name] }, null),
    callsOf: (path, text, symbol) => call({ call: 'callsOf', path, text, more: [symbol] }, []),
    withTree: (path, text, look) => here.withTree(path, text, look),
    notParsed: (path, text) =>
      here.notParsed(path, text) ??
      (isSlow(path, text) ? 'not parsed, because it would take too long' : null),
    close,
  };
}

function openThread(root: string): ForeignThread {
  const data: ThreadData = { photonRoot: root };
  const urlOf = async () => (await import('./symbol-worker.ts')).symbolWorkerUrl;
  return openForeignThread(urlOf, data);
}
