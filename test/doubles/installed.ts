/** Packages of this project's own installation, copied into a checkout as an installation of its own would lie there. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../harness.ts';

interface Locked {
  readonly bin?: Readonly<Record<string, string>> | string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const lockFile = join(root, 'package-lock.json');

/** Copies a package with all that it needs below `workspace/node_modules`, and links its programs. */
export function install(workspace: string, name: string): void {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const found = new Set<string>();
  const visit = (from: string, wanted: string) => {
    const path = placeOf(from, wanted, packages);
    if (path === undefined || found.has(path) || !existsSync(join(root, path))) return;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const next of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    }))
      visit(path, next);
  };
  visit('', name);
  for (const path of found)
    cpSync(join(root, path), join(workspace, path), {
      recursive: true,
      verbatimSymlinks: true,
      // what lies nested is copied where it is needed
      filter: from => !from.slice(join(root, path).length).includes('node_modules'),
    });
  const bin = packages[`node_modules/${name}`]?.bin;
  const programs = typeof bin === 'string' ? { [name]: bin } : bin;
  mkdirSync(join(workspace, 'node_modules', '.bin'), { recursive: true });
  for (const [program, path] of Object.entries(programs ?? {}))
    symlinkSync(`../${name}/${path}`, join(workspace, 'node_modules', '.bin', program));
}

/** Returns a function that links the packages of a folder into a checkout. */
export const linkPackages = (from: string) => (workspace: string) =>
  symlinkSync(join(from, 'node_modules'), join(workspace, 'node_modules'));

/** Where a package finds another, as Node looks for it. */
function placeOf(
  from: string,
  wanted: string,
  packages: Readonly<Record<string, Locked>>,
): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${wanted}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}

/** A search path that leads to Node and to the machine's programs, and to none that this project has installed. */
export function plainSearchPath(): string {
  const own = (process.env.PATH ?? '').split(delimiter);
  return [dirname(process.execPath), ...own.filter(p => !p.endsWith('/node_modules/.bin'))].join(
    delimiter,
  );
}
