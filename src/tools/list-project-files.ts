/** list_project_files: lists the files below a folder with their symbols, page by page. */
import { expand } from 'brace-expansion';
import * as z from 'zod';
import { globTest } from '../base/globs.ts';
import { folderOf, normalisePath } from '../guard/paths.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import { type ListedFile, rankFiles, renderListing } from '../navigation/listing.ts';
import { symbolsNamedBy } from '../navigation/map.ts';
import { defineTool, inResults, symbolsAt, type ToolContext, type ToolResult } from './tool.ts';

export const listProjectFiles = defineTool({
  name: 'list_project_files',
  description: 'List files and their symbols.',
  core: true,
  step: 'navigate',
  schema: z.strictObject({
    folder: z.string().max(4096).optional(),
    pattern: z.string().min(1).max(200).optional().describe('glob'),
    offset: z.int().min(0).optional().meta(inResults),
    symbols: z.boolean().optional().meta(inResults),
  }),
  claims: args => [{ kind: 'navigate', path: args.folder ?? '' }],
  problems: async args =>
    filePattern(args.pattern ?? '') === undefined
      ? ['/pattern: has too many alternatives in {}']
      : [],
  run: async (args, context) => listFiles(args, context, args.symbols === true ? 'all' : 'named'),
});

interface Wanted {
  readonly folder?: string | undefined;
  readonly pattern?: string | undefined;
  readonly offset?: number | undefined;
}

/** A page of the files below a folder; of a long one, with the symbols that the task or the plan names. */
export async function listFiles(
  { folder: named = '', pattern, offset = 0 }: Wanted,
  context: ToolContext,
  symbols: 'all' | 'named' | 'none',
): Promise<ToolResult> {
  const folder = normalisePath(named) ?? '';
  const fits = pattern === undefined ? undefined : filePattern(pattern);
  const all = await context.session.files();
  const below = rankFiles(
    all.filter(f => isBelow(f.path, folder) && (fits === undefined || fits(f.path))),
  );
  if (below.length === 0) {
    const which = pattern === undefined ? 'no files' : `no files like ${pattern}`;
    return {
      text: `There are ${which} below ${folder || 'the root'}.`,
      events: isFolder(folder, all) ? [{ kind: 'navigated', files: [], folders: [folder] }] : [],
    };
  }
  const page = below.slice(offset, offset + context.policy.limits.listing_entries);
  const listing = renderListing(
    symbols === 'none' ? page.map(f => ({ ...f, symbols: [] })) : await withSymbols(page, context),
    {
      offset,
      total: below.length,
      maxBytes: context.policy.limits.output_bytes,
      isWanted: symbols === 'named' ? findNamed(context) : undefined,
    },
  );
  // a small window cuts the text; it does not make the files of the page unknown
  const found = page.map(f => f.path);
  const folders = [...new Set([folder, ...found.map(folderOf)])];
  return {
    text: listing.text,
    paths: [folder],
    events: [{ kind: 'navigated', files: found, folders, outlined: listing.outlined }],
  };
}

/** Maximum patterns that the braces of one stand for. */
const maxAlternatives = 50;

/**
 * A test for paths relative to the root, ignoring case, in bounded time: `*` and `?` stand for characters of one name, `**`
 * for any folders, `{a,b}` for a or b. Brackets stand for themselves. Undefined for too many braces.
 */
export function filePattern(pattern: string): ((path: string) => boolean) | undefined {
  const glob = pattern.replace(/^(?:\.?\/)+/, '');
  if (expand(glob, { max: maxAlternatives + 1 }).length > maxAlternatives) return undefined;
  return globTest(glob, { nocase: true, brackets: false });
}

/** A folder that is there: nothing of the name that was looked for is in it, so a file of this name is new. */
function isFolder(folder: string, files: readonly { readonly path: string }[]): boolean {
  return folder === '' || files.some(f => f.path.startsWith(`${folder}/`));
}

/** Tells the symbols that the task or the plan names. */
function findNamed({ task, plan }: ToolContext): (symbol: CodeSymbol) => boolean {
  const planned = new Set(plan?.entrySymbols);
  const isNamed = symbolsNamedBy(task);
  return symbol =>
    planned.has(symbol.name) ||
    planned.has(`${symbol.container}.${symbol.name}`) ||
    isNamed(symbol);
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

async function withSymbols(
  page: readonly { path: string; mode: string }[],
  context: ToolContext,
): Promise<ListedFile[]> {
  return Promise.all(
    page.map(async file => ({ ...file, symbols: await symbolsAt(file.path, context) })),
  );
}
