/** Lookups by name: what find_definition and find_references share (SPEC §4, constitution §3.2). */
import * as z from 'zod';
import { folderOf, normalisePath } from '../guard/paths.ts';
import {
  type Found,
  type LookupSource,
  lastPart,
  type Place,
  type Wanted,
} from '../navigation/lookup.ts';
import { renderPlaces } from '../navigation/places.ts';
import type { Room, ToolResult } from './tool.ts';

export const lookupSchema = z.strictObject({
  symbol: z.string().min(1).max(300).describe('name, Class.name, or F:name:L42'),
  file_path: z.string().min(1).max(4096).optional().describe('where you saw it'),
  line: z.int().min(1).optional(),
  offset: z.int().min(0).optional(),
});

export type LookupArgs = z.infer<typeof lookupSchema>;

/** The file that the question comes from, as the session names it. */
export function fromOf(args: LookupArgs): string {
  return args.file_path === undefined ? '' : (normalisePath(args.file_path) ?? '');
}

/** Search and texts of a session, for the index. */
export function lookupSource(room: Room): LookupSource {
  return {
    symbols: room.symbols,
    search: async word => {
      const asked = { pattern: word, folder: '', fixed: true, ignoreCase: false, word: true };
      return room.session.grep(asked);
    },
    text: async path => {
      const file = await room.session.text(path);
      return file === null || file === 'binary' ? null : file.lines.join('\n');
    },
  };
}

export interface Answer extends Found {
  /** `index`, or the name of a language server. */
  readonly source: string;
}

/** The places for the model, and the evidence that they are. */
export async function placesResult(
  args: LookupArgs,
  room: Room,
  { answer, withText }: { readonly answer: Answer; readonly withText: boolean },
): Promise<ToolResult> {
  if (answer.places.length === 0) {
    const more = answer.cut ? ' in the files that were searched' : '';
    return {
      text: `${answer.source}: no ${args.symbol}${more}.`,
      events: answer.cut ? [] : [{ kind: 'unresolved', name: lastPart(args.symbol).slice(0, 200) }],
    };
  }
  const offset = args.offset ?? 0;
  const shown = answer.places.slice(offset, offset + room.law.limits.grep_hits);
  const lines = withText ? await linesOf(shown, room) : new Map<string, readonly string[]>();
  const rendered = renderPlaces(answer, {
    ...{ source: answer.source, offset, maxPlaces: room.law.limits.grep_hits },
    maxBytes: room.law.limits.output_bytes,
    lineOf: ({ path, line }) => lines.get(path)?.[line - 1] ?? '',
  });
  const folders = [...new Set(rendered.paths.map(folderOf))];
  return {
    text: rendered.text,
    paths: rendered.paths,
    events: [{ kind: 'navigated', files: rendered.paths, folders }],
  };
}

async function linesOf(places: readonly Place[], room: Room) {
  const paths = [...new Set(places.map(p => p.path))];
  const texts = paths.map(async path => {
    const file = await room.session.text(path);
    return [path, file === null || file === 'binary' ? [] : file.lines] as const;
  });
  return new Map<string, readonly string[]>(await Promise.all(texts));
}

/** What is asked, as the index takes it. */
export function wantedOf(args: LookupArgs): Wanted {
  return { name: args.symbol, from: fromOf(args) };
}
