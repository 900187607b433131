/** find_definition and find_references: ask a language server, or the symbol index when no server answers. */
import * as z from 'zod';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { folderOf, normalisePath } from '../guard/paths.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import type { SymbolLocation } from '../navigation/lookup.ts';
import type { LookupRequest, LookupResult, Navigator } from '../navigation/navigator.ts';
import { rankHits, renderPlaces, type ShownPlaces } from '../navigation/places.ts';
import {
  aside,
  defineTool,
  inResults,
  resolved,
  symbolsAt,
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
      ...resolved(args.symbol, context),
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
    return { kind: 'shown' as const, path, lines: new Map(known) };
  });
  return (await Promise.all(shown)).filter(event => event.lines.size > 0);
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

/** The lines where the name is followed by a parenthesis, code first. */
export async function findCallers(symbol: CodeSymbol, context: ToolContext): Promise<string> {
  if (!/^[\w$]+$/.test(symbol.name)) return '';
  const { hits: found } = await context.session.grep({
    patterns: [`(^|[^[:alnum:]_$])${symbol.name.replaceAll('$', '\\$')}\\(`],
    folder: '',
    fixed: false,
    ignoreCase: false,
  });
  const hits = rankHits(found).slice(0, maxLooked);
  const defined = await findDefinitions(symbol.name, hits, context);
  const callers = hits.filter(h => !defined.has(h));
  const named = callers.slice(0, maxCallers);
  // a search stops early, so that their number is not known
  const more = callers.length > named.length ? ' and more' : '';
  return `${named.map(h => `${h.path}:L${h.line}`).join(', ')}${more}`;
}

/** Most lines that are told from definitions. */
const maxLooked = 100;

/** The lines on which a symbol of a name is defined: the first one with the name inside of it. */
async function findDefinitions<H extends { readonly path: string; readonly line: number }>(
  name: string,
  hits: readonly H[],
  context: ToolContext,
): Promise<ReadonlySet<H>> {
  const found = new Set<H>();
  for (const [path, own] of Map.groupBy(hits, h => h.path))
    for (const { startLine, endLine, ...symbol } of await symbolsAt(path, context)) {
      const first = own.find(h => h.line >= startLine && h.line <= endLine);
      if (symbol.name === name && first !== undefined) found.add(first);
    }
  return found;
}
