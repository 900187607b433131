/** grep: searches tracked files and shows each hit with its enclosing symbol, page by page. */
import * as z from 'zod';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { nearestPaths } from '../guard/nearest-names.ts';
import { folderOf, normalisePath } from '../guard/paths.ts';
import type { CodeSymbol } from '../navigation/definitions.ts';
import { rankHits, renderHits } from '../navigation/places.ts';
import { filePattern } from './list-project-files.ts';
import { showWhole } from './lookup.ts';
import { defineTool, inResults, listResolved, symbolsAt, type ToolContext } from './tool.ts';

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
    offset: z.int().min(0).optional().meta(inResults),
  }),
  claims: args => [{ kind: 'navigate', path: args.folder ?? '' }],
  problems: async args => (/[\n\r\0]/.test(args.pattern) ? ['/pattern: must be one line'] : []),
  run: async (args, context) => {
    const named = normalisePath(args.folder ?? '') ?? '';
    const fits = /[*?{]/.test(named) ? filePattern(named) : undefined;
    // of a pattern, the folder before its first sign
    const folder = fits === undefined ? named : folderOf(named.split(/[*?{]/)[0] ?? '');
    const { asRegex, ...found } = await search(args, folder, context);
    const hits = found.hits.filter(h => fits?.(h.path) !== false);
    const { cut } = found;
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
      ...(await showWhole(rendered.whole, context)),
    ];
    if (hits.length > 0) events.push(...listResolved(args.pattern, context));
    else if (!cut && named === '')
      events.push({ kind: 'unresolved', name: args.pattern.slice(0, 200) });
    return {
      text:
        hits.length > 0
          ? `${asRegex ? asRegexNote : ''}${rendered.text}`
          : await describeNoMatch(named, fits, context),
      paths: rendered.paths,
      events,
    };
  },
});

const asRegexNote = '[No line has this text; these match it as a regex.]\n';

/** Lines with the text. If there are none, lines that match it as an expression, which is what a pattern is elsewhere. */
async function search(
  { pattern, regex, ignore_case }: { pattern: string; regex?: boolean; ignore_case?: boolean },
  folder: string,
  { session }: ToolContext,
) {
  const query = { folder, ignoreCase: ignore_case === true };
  const asText = { ...query, patterns: [pattern], fixed: true };
  const asExpression = { ...query, patterns: [extendPattern(pattern)], fixed: false };
  const found = await session.grep(regex === true ? asExpression : asText);
  const isText = regex !== undefined || !/[\\^$.|?*+([{]/.test(pattern);
  if (isText || found.hits.length > 0 || found.cut) return { ...found, asRegex: false };
  // what is no expression is text
  const matching = await session.grep(asExpression).catch(() => found);
  return { ...matching, asRegex: true };
}

/** What POSIX expressions lack of other dialects, outside of brackets. */
const outside = new Map([
  ['\\d', '[0-9]'],
  ['\\D', '[^0-9]'],
  ['(?:', '('],
]);
/** The same in brackets, where a backslash is a plain sign. */
const inside = new Map([
  ['\\d', '0-9'],
  ['\\s', '[:space:]'],
  ['\\w', '[:alnum:]_'],
]);

/** A pattern as a POSIX extended expression, which would find nothing for `\d`, `[\w.]` and `[^\]]`, without an error. */
function extendPattern(pattern: string): string {
  return pattern.replace(/\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|\\.|\(\?:/g, part =>
    part.startsWith('[') ? extendedBrackets(part) : (outside.get(part) ?? part),
  );
}

function extendedBrackets(part: string): string {
  const text = part.replace(/\\./g, pair => inside.get(pair) ?? pair);
  if (!/\\\]/.test(text.replaceAll('\\\\', ''))) return text;
  // a bracket in brackets stands in front of all others
  const [open = ''] = /^\[\^?/.exec(text) ?? [];
  const others = text.slice(open.length).replace(/\\[\\\]]/g, pair => (pair === '\\]' ? '' : pair));
  return `${open}]${others}`;
}

/** Tells nothing that matches from no place to search in. */
async function describeNoMatch(
  named: string,
  fits: ReturnType<typeof filePattern>,
  { session }: ToolContext,
): Promise<string> {
  const paths = (await session.files()).map(f => f.path);
  const isThere = fits ?? (p => named === '' || p === named || p.startsWith(`${named}/`));
  if (paths.some(isThere)) return 'No match.';
  const nearest = nearestPaths(named, paths);
  const similar = nearest.length === 0 ? '' : ` Similar paths: ${nearest.join(', ')}`;
  return `No match: ${named} names no tracked file.${similar}`;
}

async function symbolsOfAll(
  paths: readonly string[],
  context: ToolContext,
): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
  return new Map(
    await Promise.all(paths.map(async p => [p, await symbolsAt(p, context)] as const)),
  );
}
