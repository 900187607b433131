/** The files of the repository that locations in SARIF name. Pure. */
import { posix } from 'node:path';

export interface SarifLocation {
  readonly uri?: string | undefined;
  readonly uriBaseId?: string | undefined;
}

export interface RepositoryFiles {
  /** Absolute path of the checkout. */
  readonly workspace: string;
  readonly has: (path: string) => boolean;
}

const maxBases = 10;

/** The path that a location names, absolute or from the root of the repository; undefined for what is no file. */
export function resolveSarifPath(
  place: SarifLocation,
  bases: Readonly<Record<string, SarifLocation>>,
): string | undefined {
  let path = parseUri(place.uri ?? '');
  let { uriBaseId } = place;
  for (let i = 0; path !== undefined && !isAbsolute(path) && uriBaseId !== undefined; i++) {
    const base: SarifLocation | undefined = bases[uriBaseId];
    if (base === undefined || i >= maxBases) break;
    const folder = base.uri === undefined ? '' : parseUri(base.uri);
    path = folder === undefined ? undefined : posix.join(folder, path);
    uriBaseId = base.uriBaseId;
  }
  return path === undefined || path === '' ? undefined : posix.normalize(path);
}

/**
 * The files of the repository for resolved paths. Where the scanner ran in another folder or on another machine, its
 * root is the folder below which most paths are files of the repository.
 */
export function placeInRepository(
  resolved: readonly (string | undefined)[],
  { workspace, has }: RepositoryFiles,
): readonly (string | undefined)[] {
  const below = (root: string, path: string) =>
    path.startsWith(`${root}/`) && has(path.slice(root.length + 1))
      ? path.slice(root.length + 1)
      : undefined;
  const foreign = resolved.filter(
    path => path !== undefined && isAbsolute(path) && !path.startsWith(`${workspace}/`),
  );
  const roots = new Map<string, number>();
  for (const root of foreign.flatMap(path => findRoots(path ?? '', has)))
    roots.set(root, (roots.get(root) ?? 0) + 1);
  const [found] = [...roots].sort(([a, m], [b, n]) => n - m || a.length - b.length);
  return resolved.map(path => {
    if (path === undefined) return undefined;
    if (!isAbsolute(path)) return has(path) ? path : undefined;
    return below(workspace, path) ?? (found === undefined ? undefined : below(found[0], path));
  });
}

/** The folder below which the longest end of a path is a file of the repository. */
function findRoots(path: string, has: (path: string) => boolean): readonly string[] {
  const parts = path.split('/');
  const at = parts.findIndex((_, i) => i > 0 && has(parts.slice(i).join('/')));
  return at < 0 ? [] : [parts.slice(0, at).join('/')];
}

const isAbsolute = (path: string) => path.startsWith('/') || /^[a-z]:\//i.test(path);

/** A URI, or a path of either system, with slashes; undefined for another scheme and for what cannot be decoded. */
function parseUri(uri: string): string | undefined {
  const slashed = uri.replaceAll('\\', '/');
  const isDrive = /^[a-z]:\//i.test(slashed);
  const [, scheme = ''] = isDrive ? [] : (/^([a-z][a-z0-9+.-]*):/i.exec(slashed) ?? []);
  if (scheme !== '' && scheme.toLowerCase() !== 'file') return undefined;
  // the host of file://host/path is no part of the path
  const path = slashed
    .slice(scheme === '' ? 0 : scheme.length + 1)
    .replace(/^\/\/[^/]*(?=\/)/, '')
    .replace(/^\/(?=[a-z]:\/)/i, '');
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return path.includes('\0') ? undefined : path; // a plain path that is no URI, such as 100%.js
  }
}
