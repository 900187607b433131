/** Versions of packages in the manifests and lock files of npm, pnpm, Yarn and Bun. */
import { asObject } from '../../base/schema-issue.ts';
import {
  matchVersions,
  type NamedVersion,
  type PackageList,
  readJsonAt,
  withLowest,
} from '../shared/package-list.ts';

const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** package-lock.json; its first version nests packages in packages. */
function readNpmLock(text: string): readonly NamedVersion[] {
  const installed = Object.entries(readJsonAt(text, 'packages')).flatMap(([path, value]) => {
    const { name, version, link } = asObject(value);
    const [, inPath] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    const isRead = inPath !== undefined && typeof version === 'string' && link !== true;
    return isRead ? [[typeof name === 'string' ? name : inPath, version] as const] : [];
  });
  return installed.length > 0 ? installed : readNested(readJsonAt(text, 'dependencies'));
}

function readNested(packages: Record<string, unknown>): readonly NamedVersion[] {
  const left = Object.entries(packages);
  // no recursion, since a hostile file has any number of levels: the list grows while it is read
  for (const [, value] of left)
    for (const each of Object.entries(asObject(asObject(value).dependencies))) left.push(each);
  return left.flatMap(([name, value]) => withLowest(name, asObject(value).version));
}

export const packageLists: readonly PackageList[] = [
  {
    files: /(?:^|\/)package\.json$/,
    source: 'npm',
    isManifest: true,
    read: text =>
      sections.flatMap(key =>
        Object.entries(readJsonAt(text, key)).flatMap(([name, wanted]) => withLowest(name, wanted)),
      ),
  },
  {
    files: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/,
    source: 'npm',
    read: readNpmLock,
  },
  {
    files: /(?:^|\/)yarn\.lock$/,
    source: 'npm',
    read: text =>
      matchVersions(
        text,
        /^"?(?:@?[^@"\n]+@npm:(?=@?[^@",\s]+@))?(@?[^@"\n]+)@(?!workspace:)[^\n]*:\n {2}version:? "?(\d[^"\s]*)/gm,
      ),
  },
  {
    // with or without a slash in front, which was also between name and version
    files: /(?:^|\/)pnpm-lock\.yaml$/,
    source: 'npm',
    read: text =>
      matchVersions(
        text.slice(Math.max(0, text.search(/^packages:/m))),
        /^ {2}['"]?\/?(@[^/\s'"]+\/[^@/\s'"]+|[^@/\s'":]+)[@/](\d[^\s'"():_]*)/gm,
      ),
  },
  {
    files: /(?:^|\/)bun\.lock$/,
    source: 'npm',
    read: text => matchVersions(text, /^[ \t]*"[^"\n]+": \["(@?[^@"\n]+)@(\d[^"\n]*)"/gm),
  },
];
