/** find_definition and find_references: ask a language server, or the symbol index when no server answers. */
import * as z from 'zod';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { folderOf, normalisePath } from '../guard/paths.ts';
import { showLines } from '../guard/read-lines.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import { detectLanguage } from '../navigation/languages.ts';
import type { SymbolLocation } from '../navigation/lookup.ts';
import type { LookupRequest, LookupResult, Navigator } from '../navigation/navigator.ts';
import { rankHits, renderPlaces, type ShownPlaces } from '../navigation/places.ts';
import type { GrepHit } from '../workspace/git/git-grep.ts';
import {
  aside,
  defineTool,
  inResults,
  listResolved,
  type Tool,
  type ToolContext,
  type ToolResult,
} from './tool.ts';

const lookupSchema = z.strictObject({
  symbol: z.string().min(1).max(300).meta(aside('name, Class.name, or F:name:L42')),
  file_path: z.string().min(1).max(4096).optional().meta(aside('file where you saw it')),
  line: z.int().min(1).optional(),
  offset: z.int().min(0).optional().meta(inResults),
});

type LookupArgs = z.infer<typeof lookupSchema>;

/** The normalised path of the file where the agent saw the symbol; empty when it named none. */
function getFromPath(args: LookupArgs): string {
  return args.file_path === undefined ? '' : (normalisePath(args.file_path) ?? '');
}

function buildRequest(args: LookupArgs): LookupRequest {
  return { name: args.symbol, from: getFromPath(args), line: args.line };
}

/** What differs between the two tools. */
interface LookupSpec {
  /** Show the text of each line. */
  readonly withText: boolean;
  /** A lookup without a result shows that the symbol is missing, and not only unused. */
  readonly provesAbsence: boolean;
}

/** The locations as text for the model and as evidence of navigation. */
async function placesResult(
  args: LookupArgs,
  context: ToolContext,
  { answer, withText, provesAbsence }: LookupSpec & { readonly answer: LookupResult },
): Promise<ToolResult> {
  const { source, outside } = answer;
  const facts = { source, places: answer.places.length };
  const elsewhere = outside === 0 ? '' : ` ${outside} more outside the project.`;
  if (answer.places.length === 0) {
    const more = answer.cut ? ' in the searched files' : '';
    return {
      text: `${source}: ${args.symbol} was not found${more}.${elsewhere}`,
      events:
        answer.cut || outside > 0 || !provesAbsence
          ? []
          : [{ kind: 'unresolved', name: args.symbol.slice(0, 200) }],
      facts,
    };
  }
  const offset = args.offset ?? 0;
  const max = context.policy.limits.grep_hits;
  const shown = answer.places.slice(offset, offset + max);
  const lines = withText ? await readLines(shown, context) : new Map<string, readonly string[]>();
  const rendered = renderPlaces(answer, {
    source,
    offset,
    maxPlaces: max,
    maxBytes: context.policy.limits.output_bytes,
    lineOf: ({ path, line }) => lines.get(path)?.[line - 1] ?? '',
  });
  // a server may return untracked files: they are shown, but do not count as navigation
  const tracked = new Set((await context.session.files()).map(f => f.path));
  const files = rendered.paths.filter(p => tracked.has(p));
  return {
    text: rendered.text + elsewhere,
    paths: files,
    events: [
      { kind: 'navigated', files, folders: [...new Set(files.map(folderOf))], outlined: files },
      ...(await showWhole(rendered.whole, context)),
      ...listResolved(args.symbol, context),
    ],
    facts,
  };
}

/** The lines that a result shows in full, as evidence; by the letter, a search reads nothing. */
export async function showWhole(
  places: ShownPlaces['whole'],
  { session, policy }: ToolContext,
): Promise<readonly EvidenceEvent[]> {
  if (policy.reads === 'strict') return [];
  const shown = [...Map.groupBy(places, p => p.path)].map(async ([path, rows]) => {
    const text = await session.text(path);
    const lines = text === undefined || text === 'binary' ? [] : text.lines;
    const known = rows.flatMap(({ line }) => {
      const row = lines[line - 1];
      return row === undefined ? [] : [[line, row] as const];
    });
    return showLines('shown', path, new Map(known));
  });
  return (await Promise.all(shown)).filter(event => event.lines.length > 0);
}

async function readLines(places: readonly SymbolLocation[], context: ToolContext) {
  const paths = [...new Set(places.map(p => p.path))];
  const texts = paths.map(
    async path => [path, (await context.session.plainText(path))?.split('\n') ?? []] as const,
  );
  return new Map<string, readonly string[]>(await Promise.all(texts));
}

/** Defines a tool that asks the navigator. */
function defineLookup(
  spec: LookupSpec & {
    readonly name: string;
    readonly description: string;
    readonly find: (navigator: Navigator, request: LookupRequest) => Promise<LookupResult>;
  },
): Tool {
  return defineTool({
    name: spec.name,
    description: spec.description,
    core: true,
    step: 'navigate',
    schema: lookupSchema,
    claims: args => [{ kind: 'navigate', path: getFromPath(args) }],
    problems: async args => (/[\n\r\0]/.test(args.symbol) ? ['/symbol: must be one line'] : []),
    run: async (args, context) => {
      const { navigator } = context;
      const failedBefore = navigator.failures().length;
      const answer = await spec.find(navigator, buildRequest(args));
      const result = await placesResult(args, context, { ...spec, answer });
      const [failed] = navigator.failures().slice(failedBefore);
      // another server or the symbol index gave the result
      return failed === undefined ? result : { ...result, failed, partial: true };
    },
  });
}

export const findDefinition = defineLookup({
  name: 'find_definition',
  description: 'Find where a symbol is defined.',
  find: (navigator, request) => navigator.definitions(request),
  withText: false,
  provesAbsence: true,
});

export const findReferences = defineLookup({
  name: 'find_references',
  description: 'Find uses of a symbol.',
  find: (navigator, request) => navigator.references(request),
  withText: true,
  provesAbsence: false,
});

/** Most callers that are named. */
const maxCallers = 10;

/** The lines of code where the name is followed by a parenthesis, tests last. */
export async function findCallers({ name }: CodeSymbol, context: ToolContext): Promise<string> {
  if (!/^[\w$]+$/.test(name)) return '';
  const { hits } = await context.session.grep({
    patterns: [`(^|[^[:alnum:]_$])${name.replaceAll('$', '\\$')}\\(`],
    folder: '',
    fixed: false,
    ignoreCase: false,
  });
  const looked = Map.groupBy(rankHits(hits).slice(0, maxLooked), h => h.path);
  const found = [...looked].map(([path, own]) => keepCallers(name, { path, hits: own }, context));
  const callers = (await Promise.all(found)).flat();
  // a search stops early, so that their number is not known
  const more = callers.length > maxCallers ? ' and more' : '';
  const named = callers.slice(0, maxCallers).map(h => `${h.path}:L${h.line}`);
  return `${named.join(', ')}${more}`;
}

/** Most lines that are looked into. */
const maxLooked = 100;

/** The hits in one file that are code, but for the first one inside of each symbol of the name: there it is defined. */
async function keepCallers(
  name: string,
  { path, hits }: { readonly path: string; readonly hits: readonly GrepHit[] },
  context: ToolContext,
): Promise<readonly GrepHit[]> {
  const text = (await context.session.plainText(path)) ?? '';
  if (detectLanguage(path, text) === undefined) return [];
  const lines = await context.symbols.linesNaming(path, text, name);
  const code = hits.filter(h => lines?.includes(h.line) !== false);
  const symbols = await context.symbols.listSymbols(path, text);
  const defined = symbols
    .filter(s => s.name === name)
    .map(s => code.find(h => h.line >= s.startLine && h.line <= s.endLine));
  return code.filter(h => !defined.includes(h));
}
