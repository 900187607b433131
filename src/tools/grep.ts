/** grep: searches tracked files and shows each hit with its enclosing symbol, page by page. */
import * as z from 'zod';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { normalisePath } from '../guard/paths.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import { rankHits, renderHits } from '../navigation/grep.ts';
import { defineTool, resolved, symbolsAt, type ToolContext } from './tool.ts';

export const grep = defineTool({
  name: 'grep',
  description: 'Search tracked files for text or an extended regex.',
  core: true,
  step: 'navigate',
  schema: z.strictObject({
    pattern: z.string().min(1).max(1000),
    folder: z.string().max(4096).optional(),
    regex: z.boolean().optional(),
    ignore_case: z.boolean().optional(),
    offset: z.int().min(0).optional(),
  }),
  claims: args => [{ kind: 'navigate', path: args.folder ?? '' }],
  problems: async args => (/[\n\r\0]/.test(args.pattern) ? ['/pattern: must be one line'] : []),
  run: async (args, context) => {
    const folder = normalisePath(args.folder ?? '') ?? '';
    const { hits, cut } = await context.session.grep({
      patterns: [args.pattern],
      folder,
      fixed: args.regex !== true,
      ignoreCase: args.ignore_case === true,
    });
    const offset = args.offset ?? 0;
    const page = rankHits(hits).slice(offset, offset + context.policy.limits.grep_hits);
    const paths = [...new Set(page.map(h => h.path))];
    const symbols = await symbolsOfAll(paths, context);
    const rendered = renderHits(page, symbols, {
      offset,
      total: hits.length,
      cut,
      maxBytes: context.policy.limits.output_bytes,
    });
    const events: EvidenceEvent[] = [
      { kind: 'navigated', files: rendered.paths, folders: [folder], outlined: rendered.paths },
    ];
    if (hits.length > 0) events.push(...resolved(args.pattern, context));
    else if (!cut && folder === '')
      events.push({ kind: 'unresolved', name: args.pattern.slice(0, 200) });
    return {
      text: rendered.text,
      paths: rendered.paths,
      events,
    };
  },
});

async function symbolsOfAll(
  paths: readonly string[],
  context: ToolContext,
): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
  return new Map(
    await Promise.all(paths.map(async p => [p, await symbolsAt(p, context)] as const)),
  );
}
