/** Reads the replies of language servers, which are untrusted. Pure. */
import { pathToFileURL } from 'node:url';
import type {
  Definition,
  Diagnostic,
  Location,
  LocationLink,
} from 'vscode-languageserver-protocol';
import { attempt } from '../../base/system-errors.ts';

const maxPlaces = 1000;

export interface FilePosition {
  /** Relative to the root. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Places inside the root, and the number of those outside. */
export interface FoundPositions {
  readonly places: readonly FilePosition[];
  readonly outside: number;
}

export interface ServerProblem {
  readonly line: number;
  readonly message: string;
}

/** The path of a URI relative to the root; undefined for a URI outside of it. */
export function relative(root: string, uri: string): string | undefined {
  const start = `${pathToFileURL(root).href}/`;
  // servers escape more characters than necessary
  const plain = (text: string) => decodeURIComponent(text);
  return attempt(() =>
    plain(uri).startsWith(plain(start)) ? plain(uri).slice(plain(start).length) : undefined,
  );
}

/** The places of a reply; reads at most a thousand. */
export function readLocations(
  root: string,
  reply: Definition | readonly (Location | LocationLink)[] | undefined,
): FoundPositions {
  const all = reply === undefined ? [] : Array.isArray(reply) ? reply : [reply];
  const places: FilePosition[] = [];
  let outside = 0;
  for (const each of all.slice(0, maxPlaces) as readonly Partial<Location & LocationLink>[]) {
    const path = relative(root, String(each.uri ?? each.targetUri ?? ''));
    const line = (each.range ?? each.targetSelectionRange)?.start?.line;
    if (path === undefined || !Number.isInteger(line)) outside += 1;
    else places.push({ path, line: Number(line) + 1 });
  }
  return { places, outside };
}

/** The errors among diagnostics, at most fifty, one line each. */
export function serverProblems(diagnostics: readonly Diagnostic[]): readonly ServerProblem[] {
  const errors = diagnostics.filter(d => d.severity === 1);
  return errors.slice(0, 50).map(d => problem(Number(d.range?.start?.line ?? 0) + 1, d.message));
}

/** The reply of tsserver to `semanticDiagnosticsSync`. */
export interface TsserverReply {
  readonly body?: readonly {
    readonly start?: { readonly line: number };
    readonly category: string;
    readonly text: string;
  }[];
}

/** The same of tsserver, which counts lines from 1. */
export function tsserverProblems({ body = [] }: TsserverReply): readonly ServerProblem[] {
  const errors = body.filter(d => d.category === 'error');
  return errors.slice(0, 50).map(d => problem(Number(d.start?.line ?? 1), d.text));
}

const problem = (line: number, message: unknown): ServerProblem => ({
  line,
  message: String(message).split('\n')[0]?.slice(0, 200) ?? '',
});
