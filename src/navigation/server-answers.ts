/** What a language server answers, read as foreign data. Pure. */
import { pathToFileURL } from 'node:url';
import type {
  Definition,
  Diagnostic,
  Location,
  LocationLink,
} from 'vscode-languageserver-protocol';

const maxPlaces = 1000;

export interface ServerPlace {
  /** Relative to the root. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

export interface ServerProblem {
  readonly line: number;
  readonly message: string;
}

/** The path of an address below the root; null when it lies outside, or is no file. */
export function relative(root: string, uri: string): string | null {
  const start = `${pathToFileURL(root).href}/`;
  // servers escape more than they have to
  const plain = (text: string) => decodeURIComponent(text);
  try {
    return plain(uri).startsWith(plain(start)) ? plain(uri).slice(plain(start).length) : null;
  } catch {
    return null;
  }
}

/** Places inside the root, and how many lie outside of it; at most a thousand are looked at. */
export function placesOf(
  root: string,
  answer: Definition | readonly (Location | LocationLink)[] | null,
) {
  const all = answer === null ? [] : Array.isArray(answer) ? answer : [answer];
  const places: ServerPlace[] = [];
  let outside = 0;
  for (const each of all.slice(0, maxPlaces) as readonly Partial<Location & LocationLink>[]) {
    const path = relative(root, String(each.uri ?? each.targetUri ?? ''));
    const line = (each.range ?? each.targetSelectionRange)?.start?.line;
    if (path === null || !Number.isInteger(line)) outside += 1;
    else places.push({ path, line: Number(line) + 1 });
  }
  return { places, outside };
}

/** Errors among diagnostics, at most fifty, one line each. */
export function serverProblems(diagnostics: readonly Diagnostic[]): readonly ServerProblem[] {
  const errors = diagnostics.filter(d => d.severity === 1);
  return errors.slice(0, 50).map(d => problem(Number(d.range?.start?.line ?? 0) + 1, d.message));
}

/** The same of what TypeScript's own server answers: lines from 1, and categories in place of severities. */
export function tsserverProblems(body: unknown): readonly ServerProblem[] {
  const all = (Array.isArray(body) ? body : []) as readonly Partial<TsserverDiagnostic>[];
  const errors = all.filter(d => d.category === 'error');
  return errors.slice(0, 50).map(d => problem(Number(d.start?.line ?? 1), d.text));
}

interface TsserverDiagnostic {
  readonly start: { readonly line: number };
  readonly text: string;
  readonly category: string;
}

const problem = (line: number, message: unknown): ServerProblem => ({
  line,
  message: String(message).split('\n')[0]?.slice(0, 200) ?? '',
});
