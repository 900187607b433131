/** What find_definition and find_references share (SPEC §4, constitution §3.2). */
import * as z from 'zod';
import { folderOf, normalisePath } from '../guard/paths.ts';
import { lastPart, type SymbolLocation } from '../navigation/lookup.ts';
import type { LookupRequest, LookupResult, Navigator } from '../navigation/navigator.ts';
import { renderPlaces } from '../navigation/places.ts';
import { defineTool, type Tool, type ToolContext, type ToolResult } from './tool.ts';

const lookupSchema = z.strictObject({
  symbol: z.string().min(1).max(300).describe('name, Class.name, or F:name:L42'),
  file_path: z.string().min(1).max(4096).optional().describe('where you saw it'),
  line: z.int().min(1).optional(),
  offset: z.int().min(0).optional(),
});

type LookupArgs = z.infer<typeof lookupSchema>;

/** The file that the question comes from, as the session names it. */
function fromOf(args: LookupArgs): string {
  return args.file_path === undefined ? '' : (normalisePath(args.file_path) ?? '');
}

function askedOf(args: LookupArgs): LookupRequest {
  return { name: args.symbol, from: fromOf(args), line: args.line ?? null };
}

/** The places for the model, and the evidence that they are. */
async function placesResult(
  args: LookupArgs,
  context: ToolContext,
  { answer, withText }: { readonly answer: LookupResult; readonly withText: boolean },
): Promise<ToolResult> {
  const { source, outside } = answer;
  const facts = { source, places: answer.places.length };
  const elsewhere = outside === 0 ? '' : ` ${outside} outside the project.`;
  if (answer.places.length === 0) {
    const more = answer.cut ? ' in the files that were searched' : '';
    return {
      text: `${source}: no ${args.symbol}${more}.${elsewhere}`,
      events:
        answer.cut || outside > 0
          ? []
          : [{ kind: 'unresolved', name: lastPart(args.symbol).slice(0, 200) }],
      facts,
    };
  }
  const offset = args.offset ?? 0;
  const max = context.policy.limits.grep_hits;
  const shown = answer.places.slice(offset, offset + max);
  const lines = withText ? await linesOf(shown, context) : new Map<string, readonly string[]>();
  const rendered = renderPlaces(answer, {
    ...{ source, offset, maxPlaces: max, maxBytes: context.policy.limits.output_bytes },
    lineOf: ({ path, line }) => lines.get(path)?.[line - 1] ?? '',
  });
  // a server may name what the project does not track: that is told, but leads nowhere
  const tracked = new Set((await context.session.files()).map(f => f.path));
  const files = rendered.paths.filter(p => tracked.has(p));
  return {
    text: rendered.text + elsewhere,
    paths: files,
    events: [{ kind: 'navigated', files, folders: [...new Set(files.map(folderOf))] }],
    facts,
  };
}

async function linesOf(places: readonly SymbolLocation[], context: ToolContext) {
  const paths = [...new Set(places.map(p => p.path))];
  const texts = paths.map(
    async path => [path, (await context.session.plainText(path))?.split('\n') ?? []] as const,
  );
  return new Map<string, readonly string[]>(await Promise.all(texts));
}

/** A tool that asks the navigator; `withText` shows the line of each place. */
export function defineLookup(spec: {
  readonly name: string;
  readonly description: string;
  readonly ask: (navigator: Navigator, asked: LookupRequest) => Promise<LookupResult>;
  readonly withText: boolean;
}): Tool {
  return defineTool({
    name: spec.name,
    description: spec.description,
    core: true,
    step: 'navigate',
    schema: lookupSchema,
    claims: args => [{ kind: 'navigate', path: fromOf(args) }],
    problems: async args => (/[\n\r\0]/.test(args.symbol) ? ['/symbol: must be one line'] : []),
    run: async (args, context) => {
      const answer = await spec.ask(context.navigator, askedOf(args));
      return placesResult(args, context, { answer, withText: spec.withText });
    },
  });
}
