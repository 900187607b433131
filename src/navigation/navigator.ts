/** Finds definitions and uses of a symbol with a language server if one is installed, otherwise with the index. */
import {
  enclosingSymbol,
  findDefinitions,
  type Locations,
  type LookupSource,
  lastPart,
  lookUpReferences,
  type SymbolLocation,
  type SymbolQuery,
  symbolsIn,
} from './lookup.ts';
import type { ServerPosition } from './servers/language-server.ts';
import type { FilePosition, ServerProblem } from './servers/server-replies.ts';
import type { ServerLocations, Servers } from './servers/servers.ts';

export interface LookupRequest extends SymbolQuery {
  /** The line of the name in `from`, counted from 1; undefined if it is unknown. */
  readonly line: number | undefined;
}

export interface LookupResult extends Locations {
  /** `index`, or `lsp` with the name of the server. */
  readonly source: string;
  /** Number of definitions outside the project, such as in libraries. */
  readonly outside: number;
}

export interface Navigator {
  /** Every failure of a language server so far, in order. */
  failures(): readonly string[];
  definitions(request: LookupRequest): Promise<LookupResult>;
  references(request: LookupRequest): Promise<LookupResult>;
  /** Errors in those of the files of which a running language server can tell them. */
  errors(paths: readonly string[]): Promise<ErrorsByPath>;
}

export type ErrorsByPath = ReadonlyMap<string, readonly ServerProblem[]>;

/** The errors that a file did not have before, where both are known: a line each, at most twenty. */
export function listNewErrors(before: ErrorsByPath, after: ErrorsByPath): readonly string[] {
  const lines = [...after].flatMap(([path, errors]) => {
    const old = before.get(path)?.map(e => e.message);
    const found = errors.filter(e => old?.includes(e.message) === false);
    return found.map(e => `${path}:${e.line}: ${e.message}`);
  });
  return lines.slice(0, 20);
}

export function openNavigator(source: LookupSource, servers: Servers | undefined): Navigator {
  const buildResult = async (found: ServerLocations, what: 'definition' | 'references') => ({
    source: `lsp (${found.server})`,
    cut: false,
    outside: found.outside,
    places: await Promise.all(found.places.map(p => withSymbol(source, p, what))),
  });
  const by =
    (what: 'definition' | 'references', index: typeof findDefinitions) =>
    async (request: LookupRequest): Promise<LookupResult> => {
      const spot = servers === undefined ? undefined : await findSpot(source, request);
      if (servers !== undefined && spot !== undefined) {
        const located = await servers.locate(what, spot.path, spot.position);
        if (located !== undefined && located.places.length + located.outside > 0)
          return buildResult(located, what);
      }
      return { ...(await index(source, request)), source: 'index', outside: 0 };
    };
  return {
    failures: () => servers?.failures() ?? [],
    definitions: by('definition', findDefinitions),
    references: by('references', lookUpReferences),
    errors: async paths => {
      const found = new Map<string, readonly ServerProblem[]>();
      for (const path of paths) {
        const errors = await servers?.errors(path);
        if (errors !== undefined) found.set(path, errors);
      }
      return found;
    },
  };
}

interface Spot {
  readonly path: string;
  readonly position: ServerPosition;
}

/** A place of the name in code: in the file of the request, otherwise at its only definition. */
async function findSpot(source: LookupSource, request: LookupRequest): Promise<Spot | undefined> {
  const word = lastPart(request.name);
  if (request.from !== '') {
    const text = await source.text(request.from);
    if (text !== undefined) {
      const lines = (await source.symbols.linesNaming(request.from, text, word)) ?? [];
      const line =
        request.line !== undefined && lines.includes(request.line) ? request.line : lines[0];
      return line === undefined ? undefined : spotIn(request.from, { text, line, word });
    }
  }
  const { places } = await findDefinitions(source, request);
  const [only, ...others] = places;
  if (only === undefined || others.length > 0) return undefined;
  const text = await source.text(only.path);
  return text === undefined ? undefined : spotIn(only.path, { text, line: only.line, word });
}

function spotIn(
  path: string,
  { text, line, word }: { readonly text: string; readonly line: number; readonly word: string },
): Spot | undefined {
  const lines = text.split('\n');
  // a definition may begin above the line of its name, such as with a decorator
  for (let at = line; at < line + 20 && at <= lines.length; at++) {
    const found = new RegExp(
      `(?<![\\p{L}\\p{N}_$])${RegExp.escape(word)}(?![\\p{L}\\p{N}_$])`,
      'u',
    ).exec(lines[at - 1] ?? '');
    if (found !== null) return { path, position: { line: at - 1, character: found.index } };
  }
  return undefined;
}

/** Adds the symbol of the index to a place that a server returned. */
async function withSymbol(
  source: LookupSource,
  { path, line }: FilePosition,
  what: 'definition' | 'references',
): Promise<SymbolLocation> {
  const symbols = await symbolsIn(source, path);
  const at = what === 'definition' ? symbols.find(s => s.startLine === line) : undefined;
  return { path, line, symbol: at ?? enclosingSymbol(symbols, line) };
}
