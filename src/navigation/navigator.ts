/** Where a symbol is defined and used: a language server's answer when there is one, the index's else. */
import { enclosingSymbol } from './format.ts';
import type { ServerPosition } from './language-server.ts';
import {
  findDefinitions,
  type Locations,
  type LookupSource,
  lastPart,
  lookUpReferences,
  type SymbolLocation,
  type SymbolQuery,
  symbolsIn,
} from './lookup.ts';
import type { ServerPlace } from './server-answers.ts';
import type { ServerAnswer, Servers } from './servers.ts';

export interface LookupRequest extends SymbolQuery {
  /** Line (1-based) of `from` on which the name stands; null when it is not known. */
  readonly line: number | null;
}

export interface LookupResult extends Locations {
  /** `index`, or `lsp` with the name of the server. */
  readonly source: string;
  /** Definitions that lie in no file of the project: libraries, the language itself. */
  readonly outside: number;
}

export interface Navigator {
  definitions(asked: LookupRequest): Promise<LookupResult>;
  references(asked: LookupRequest): Promise<LookupResult>;
  /** New errors that running language servers see in these files; one line each, at most twenty. */
  newErrors(paths: readonly string[]): Promise<readonly string[]>;
}

const maxErrors = 20;

export function openNavigator(source: LookupSource, servers: Servers | null): Navigator {
  const answerOf = async (told: ServerAnswer, what: 'definition' | 'references') => ({
    ...{ source: `lsp (${told.server})`, cut: false, outside: told.outside },
    places: await Promise.all(told.places.map(p => withSymbol(source, p, what))),
  });
  const by =
    (what: 'definition' | 'references', index: typeof findDefinitions) =>
    async (asked: LookupRequest): Promise<LookupResult> => {
      const spot = servers === null ? null : await spotOf(source, asked);
      if (servers !== null && spot !== null) {
        const told = await servers.ask(what, spot.path, spot.position);
        if (told !== null && told.places.length + told.outside > 0) return answerOf(told, what);
      }
      const found = await index(source, asked);
      // what the index cannot see, a running server may know by its name
      const told =
        what === 'definition' && found.places.length === 0
          ? await servers?.named(lastPart(asked.name))
          : null;
      return told ? answerOf(told, 'definition') : { ...found, source: 'index', outside: 0 };
    };
  return {
    definitions: by('definition', findDefinitions),
    references: by('references', lookUpReferences),
    newErrors: async paths => {
      if (servers === null) return [];
      const found = await Promise.all(
        paths.map(async path => {
          const errors = (await servers.newErrors(path)) ?? [];
          return errors.map(e => `${path}:${e.line}: ${e.message}`);
        }),
      );
      return found.flat().slice(0, maxErrors);
    },
  };
}

interface Spot {
  readonly path: string;
  readonly position: ServerPosition;
}

/** A place where the name stands as code: in the file that was named, else at its only definition. */
async function spotOf(source: LookupSource, asked: LookupRequest): Promise<Spot | null> {
  const word = lastPart(asked.name);
  if (asked.from !== '') {
    const text = await source.text(asked.from);
    if (text !== null) {
      const lines = (await source.symbols.linesNaming(asked.from, text, word)) ?? [];
      const line = asked.line !== null && lines.includes(asked.line) ? asked.line : lines[0];
      return line === undefined ? null : spotIn(asked.from, { text, line, word });
    }
  }
  const { places } = await findDefinitions(source, asked);
  const [only, ...others] = places;
  if (only === undefined || others.length > 0) return null;
  const text = await source.text(only.path);
  return text === null ? null : spotIn(only.path, { text, line: only.line, word });
}

function spotIn(
  path: string,
  { text, line, word }: { readonly text: string; readonly line: number; readonly word: string },
): Spot | null {
  const lines = text.split('\n');
  // a definition may begin above the line of its name: decorators, `export`
  for (let at = line; at < line + 20 && at <= lines.length; at++) {
    const found = new RegExp(
      `(?<![\\p{L}\\p{N}_$])${escapePattern(word)}(?![\\p{L}\\p{N}_$])`,
      'u',
    ).exec(lines[at - 1] ?? '');
    if (found !== null) return { path, position: { line: at - 1, character: found.index } };
  }
  return null;
}

function escapePattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The index names what stands at a place that a server told. */
async function withSymbol(
  source: LookupSource,
  { path, line }: ServerPlace,
  what: 'definition' | 'references',
): Promise<SymbolLocation> {
  const symbols = await symbolsIn(source, path);
  const at = what === 'definition' ? symbols.find(s => s.startLine === line) : undefined;
  return { path, line, symbol: at ?? enclosingSymbol(symbols, line) };
}
