/** The versions of packages that a patch adds to manifests and lock files, or changes to. */
import type { PackageVersion } from '../../base/findings.ts';
import type { FileChange, FileState } from '../../workspace/files/change.ts';
import { ecosystems } from '../index.ts';
import type { PackageList } from '../shared/package-list.ts';

const lists = ecosystems.flatMap(({ packageLists = [] }) => packageLists);

/** Names and versions as registries allow them; a comma would end one in a query, and an `@` a name. */
const [anyName, anyVersion] = [/^@?\w[\w.\-/~:+]{0,200}$/, /^\d[\w.+!-]{0,100}$/];

interface ListedVersion extends PackageVersion {
  readonly isManifest: boolean;
}

/**
 * The versions that files name with the patch, and none without it, each once: a file that moves brings nothing. What a
 * manifest allows counts only where no lock file of the patch names the package.
 */
export function findAddedPackages(changes: readonly FileChange[]): readonly PackageVersion[] {
  const read = (side: 'before' | 'after') =>
    changes.flatMap(change => {
      const list = lists.find(({ files }) => files.test(change.path));
      return list === undefined ? [] : readList(list, change[side]);
    });
  const old = new Set(read('before').map(formatListed));
  const all = [...new Map(read('after').map(p => [formatListed(p), p])).values()].filter(
    p => !old.has(formatListed(p)),
  );
  const locked = new Set(all.filter(p => !p.isManifest).map(formatName));
  return all
    .filter(p => !p.isManifest || !locked.has(formatName(p)))
    .map(({ source, name, version }) => ({ source, name, version }));
}

const formatName = ({ source, name }: PackageVersion) => `${source} ${name}`;
const formatListed = (p: ListedVersion) => `${p.isManifest} ${formatName(p)}@${p.version}`;

function readList(
  { source, read, isManifest = false }: PackageList,
  state: FileState | undefined,
): readonly ListedVersion[] {
  const text = Buffer.from(state?.bytes ?? []).toString('utf8');
  return read(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'))
    .map(([name, version]) => ({ source, name, version, isManifest }))
    .filter(({ name, version }) => anyName.test(name) && anyVersion.test(version));
}
