/** list_project_files: lists the files below a folder with their symbols, page by page. */
import * as z from 'zod';
import { folderOf, normalisePath } from '../guard/paths.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import { type ListedFile, rankFiles, renderListing } from '../navigation/listing.ts';
import { symbolsNamedBy } from '../navigation/map.ts';
import { filePattern } from './file-pattern.ts';
import { defineTool, inResults, symbolsAt, type ToolContext } from './tool.ts';

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
  run: async (args, context) => {
    const folder = normalisePath(args.folder ?? '') ?? '';
    const fits = args.pattern === undefined ? undefined : filePattern(args.pattern);
    const all = await context.session.files();
    const below = rankFiles(
      all.filter(f => isBelow(f.path, folder) && (fits === undefined || fits(f.path))),
    );
    if (below.length === 0) {
      const which = args.pattern === undefined ? 'no files' : `no files like ${args.pattern}`;
      return {
        text: `There are ${which} below ${folder || 'the root'}.`,
        events: isFolder(folder, all) ? [{ kind: 'navigated', files: [], folders: [folder] }] : [],
      };
    }
    const offset = args.offset ?? 0;
    const page = below.slice(offset, offset + context.policy.limits.listing_entries);
    const files = await withSymbols(page, context);
    const listing = renderListing(files, {
      offset,
      total: below.length,
      maxBytes: context.policy.limits.output_bytes,
      isWanted: args.symbols === true ? undefined : findNamed(context),
    });
    // a small window cuts the text; it does not make the files of the page unknown
    const found = page.map(f => f.path);
    const folders = [...new Set([folder, ...found.map(folderOf)])];
    return {
      text: listing.text,
      paths: [folder],
      events: [{ kind: 'navigated', files: found, folders, outlined: listing.outlined }],
    };
  },
});

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
