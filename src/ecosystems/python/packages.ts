/** Versions of packages in the manifests and lock files of pip, Poetry, uv, PDM and Pipenv. */
import { asObject } from '../../base/schema-issue.ts';
import {
  matchRequirements,
  type PackageList,
  readJsonAt,
  readTomlLock,
  readTomlTables,
  withLowest,
} from '../shared/package-list.ts';

/** The tables of Poetry and of Pipenv. */
const tables =
  /^\[(?:tool\.poetry\.(?:group\.[\w-]+\.)?(?:dev-)?dependencies|(?:dev-)?packages)(?:\.([\w-]+))?\]/;

/** Name, extras and range. */
const wanted = String.raw`([A-Za-z\d][\w.-]*)[ \t]{0,9}(?:\[[^\]\n]{0,200}\])?[ \t]*([~=<>!][^;#"'\n]*)`;

export const packageLists: readonly PackageList[] = [
  {
    files: /(?:^|\/)(?:[^/]*(?:requirements|constraints)[^/]*|requirements\/[^/]*)\.(?:txt|in)$/,
    source: 'pip',
    isManifest: true,
    read: text => matchRequirements(text, new RegExp(`^[ \\t]*${wanted}`, 'gm')),
  },
  {
    files: /(?:^|\/)(?:pyproject\.toml|Pipfile)$/,
    source: 'pip',
    isManifest: true,
    read: text => [
      ...readTomlTables(text, tables),
      ...matchRequirements(text, new RegExp(`["']${wanted}`, 'g')),
    ],
  },
  {
    files: /(?:^|\/)(?:(?:poetry|uv|pdm)\.lock|pylock\.(?:[\w-]+\.)?toml)$/,
    source: 'pip',
    read: readTomlLock,
  },
  {
    files: /(?:^|\/)Pipfile\.lock$/,
    source: 'pip',
    read: text =>
      ['default', 'develop'].flatMap(key =>
        Object.entries(readJsonAt(text, key)).flatMap(([name, value]) =>
          withLowest(name, asObject(value).version),
        ),
      ),
  },
];
