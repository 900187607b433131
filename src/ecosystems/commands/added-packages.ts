/** The versions of packages that a patch adds to manifests and lock files, or changes to. */
import type { PackageVersion } from '../../base/findings.ts';
import type { FileChange, FileState } from '../../workspace/files/change.ts';
import { ecosystems } from '../index.ts';
import type { PackageList } from '../shared/package-list.ts';

const lists = ecosystems.flatMap(({ packageLists = [] }) => packageLists);

/** Names and versions as registries allow them; a comma would end one in a query. */
const [anyName, anyVersion] = [/^[@\w][\w.\-/~:+@]{0,200}$/, /^\d[\w.+!-]{0,100}$/];

/**
 * The versions that the files name with the patch and not without it, each once. What a manifest allows counts only where
 * no lock file of the patch names the package.
 */
export function findAddedPackages(changes: readonly FileChange[]): readonly PackageVersion[] {
  const added = new Map<string, PackageVersion & { readonly isManifest: boolean }>();
  for (const { path, before, after } of changes) {
    const list = lists.find(({ files }) => files.test(path));
    if (list === undefined) continue;
    const old = new Set(readList(list, before).map(formatVersion));
    for (const found of readList(list, after)) {
      const key = `${found.source} ${formatVersion(found)}`;
      const isManifest = list.isManifest === true && added.get(key)?.isManifest !== false;
      if (!old.has(formatVersion(found))) added.set(key, { ...found, isManifest });
    }
  }
  const all = [...added.values()];
  const isLocked = ({ source, name }: PackageVersion) =>
    all.some(p => !p.isManifest && p.source === source && p.name === name);
  return all
    .filter(p => !p.isManifest || !isLocked(p))
    .map(({ source, name, version }) => ({ source, name, version }));
}

const formatVersion = ({ name, version }: PackageVersion) => `${name}@${version}`;

function readList(
  { source, read }: PackageList,
  state: FileState | undefined,
): readonly PackageVersion[] {
  const text = Buffer.from(state?.bytes ?? []).toString('utf8');
  return read(text.replaceAll('\r\n', '\n'))
    .map(([name, version]) => ({ source, name, version }))
    .filter(({ name, version }) => anyName.test(name) && anyVersion.test(version));
}
