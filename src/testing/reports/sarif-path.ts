/** The file of the repository that a location in SARIF names. Pure. */
import { posix } from 'node:path';

export interface SarifPlace {
  readonly uri?: string | undefined;
  readonly uriBaseId?: string | undefined;
}

export interface RepositoryFiles {
  /** Absolute path of the checkout. */
  readonly workspace: string;
  readonly has: (path: string) => boolean;
}

const maxBases = 10;

/**
 * The path of a location in the repository; null for a place outside of it. The scanner may have run in another folder or
 * on another machine: then the longest end of the path that is a file of the repository counts.
 */
export function findSarifPath(
  place: SarifPlace,
  bases: Readonly<Record<string, SarifPlace>>,
  { workspace, has }: RepositoryFiles,
): string | null {
  let path = pathOf(place.uri ?? '');
  let { uriBaseId } = place;
  for (let i = 0; path !== null && !isAbsolute(path) && uriBaseId !== undefined; i++) {
    const base: SarifPlace | undefined = bases[uriBaseId];
    if (base === undefined || i >= maxBases) break;
    const folder = base.uri === undefined ? '' : pathOf(base.uri);
    path = folder === null ? null : posix.join(folder, path);
    uriBaseId = base.uriBaseId;
  }
  if (path === null || path === '') return null;
  const whole = posix.normalize(path);
  const root = pathOf(workspace) ?? workspace;
  const inside = whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : whole;
  if (!isAbsolute(inside)) return has(inside) ? inside : null;
  const parts = inside.split('/').filter(part => part !== '' && !/^[a-z]:$/i.test(part));
  const ends = parts.map((_, i) => parts.slice(i).join('/'));
  return ends.find(has) ?? null;
}

const isAbsolute = (path: string) => path.startsWith('/') || /^[a-z]:\//i.test(path);

/** A URI, or a path of either system, with slashes; null for another scheme and for what cannot be decoded. */
function pathOf(uri: string): string | null {
  const slashed = uri.replaceAll('\\', '/');
  const isDrive = /^[a-z]:\//i.test(slashed);
  const [, scheme = ''] = isDrive ? [] : (/^([a-z][a-z0-9+.-]*):/i.exec(slashed) ?? []);
  if (scheme !== '' && scheme.toLowerCase() !== 'file') return null;
  // the host of file://host/path is no part of the path
  const path = slashed
    .slice(scheme === '' ? 0 : scheme.length + 1)
    .replace(/^\/\/[^/]*(?=\/)/, '')
    .replace(/^\/(?=[a-z]:\/)/i, '');
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return path.includes('\0') ? null : path; // a plain path that is no URI, such as 100%.js
  }
}
