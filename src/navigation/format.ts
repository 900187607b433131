/** Renders a symbol on one line, and finds symbols by name or by line. */
import type { CodeSymbol } from './definitions.ts';

/** `F:main:L42`, or `C:Parser:L10-88` for several lines. */
export function renderSymbol(symbol: CodeSymbol): string {
  const { startLine, endLine } = symbol;
  return `${renderStart(symbol)}${endLine > startLine ? `-${endLine}` : ''}`;
}

/** `F:main:L42`: a symbol by its first line, where its extent is not asked for. */
export function renderStart({ kind, container, name, startLine }: CodeSymbol): string {
  const full = container === undefined ? name : `${container}.${name}`;
  return `${kind}:${full}:L${startLine}`;
}

/** The innermost symbol around a line, or undefined. */
export function enclosingSymbol(
  symbols: readonly CodeSymbol[],
  line: number,
): CodeSymbol | undefined {
  const around = symbols.filter(s => s.startLine <= line && line <= s.endLine);
  return around.sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0];
}

/** The symbols with a name: `name`, `Class.name`, or as in a listing (`F:name:L42`). */
export function findSymbol(symbols: readonly CodeSymbol[], wanted: string): readonly CodeSymbol[] {
  const listed = /^[FCMITEVN]:(.+):L(\d+)(?:-\d+)?$/.exec(wanted);
  const name = listed?.[1] ?? wanted;
  const found = symbols.filter(s => s.name === name || `${s.container}.${s.name}` === name);
  const line = Number(listed?.[2] ?? 0);
  return found.some(s => s.startLine === line) ? found.filter(s => s.startLine === line) : found;
}
