/** What a read answers that names no single file: the names of the files below a folder or of a pattern, or similar paths. */
import type { EvidenceEvent } from '../guard/evidence.ts';
import { nearestPaths } from '../guard/nearest-names.ts';
import { folderOf } from '../guard/paths.ts';
import { printablePath, rankFiles } from '../navigation/listing.ts';
import { filePattern } from './file-pattern.ts';
import { takeLines } from './kept-output.ts';
import type { ToolContext } from './tool.ts';

export interface ReadNames {
  readonly text: string;
  readonly event?: EvidenceEvent;
}

/** The names of the files below a folder or of a pattern; undefined for any other path. The text of no file is shown. */
export async function readNames(
  path: string,
  context: ToolContext,
): Promise<ReadNames | undefined> {
  const facts = await context.session.facts(path);
  const isFolder = path === '' || facts.kind === 'folder';
  const fits = isFolder || !/[*?]/.test(path) ? undefined : filePattern(path);
  if (!isFolder && (facts.kind !== 'missing' || fits === undefined)) return undefined;
  const found = rankFiles(
    (await context.session.files()).filter(f =>
      fits === undefined ? path === '' || f.path.startsWith(`${path}/`) : fits(f.path),
    ),
  );
  const shown = found.slice(0, context.policy.limits.listing_entries).map(f => f.path);
  const { output_bytes: bytes } = context.policy.limits;
  const rows = takeLines(shown.map(printablePath), { bytes });
  const rest = found.length - rows.length;
  const more = rest === 0 ? '' : `\n[${rest} more: list_project_files shows them by page]`;
  const what = isFolder ? `${path || 'The root'} is a folder` : `${path} is a pattern`;
  const files = shown.slice(0, rows.length);
  return {
    text: `${what}; only files are read. Its files:\n${rows.join('\n')}${more}`,
    event: {
      kind: 'navigated',
      files,
      folders: [...new Set([isFolder ? path : folderOf(path), ...files.map(folderOf)])],
    },
  };
}

/** That no tracked file has a path, and which ones resemble it. */
export async function describeMissing(path: string, { session }: ToolContext): Promise<string> {
  const nearest = nearestPaths(
    path,
    (await session.files()).map(f => f.path),
  );
  const similar = nearest.length === 0 ? '' : ` Similar paths: ${nearest.join(', ')}.`;
  return `${path}: the file does not exist.${similar}`;
}
