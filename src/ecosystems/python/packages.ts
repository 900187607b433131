/** Versions of packages in the manifests and lock files of pip, Poetry, uv, PDM and Pipenv. */
import { asObject } from '../../base/schema-issue.ts';
import {
  matchRequirements,
  type PackageList,
  readJsonAt,
  readTomlLock,
  withLowest,
} from '../shared/package-list.ts';

export const packageLists: readonly PackageList[] = [
  {
    files: /(?:^|\/)[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in)$/,
    source: 'pip',
    isManifest: true,
    read: text =>
      matchRequirements(
        text,
        /^([A-Za-z\d][\w.-]*)(?:\[[^\]\n]{0,200}\])?[ \t]*([~=<>!][^;#\n]*)/gm,
      ),
  },
  {
    files: /(?:^|\/)pyproject\.toml$/,
    source: 'pip',
    isManifest: true,
    read: text =>
      matchRequirements(
        text,
        /["']([A-Za-z\d][\w.-]*)(?:\[[^\]\n]{0,200}\])?[ \t]*([~=<>!][^;"'\n]*)/g,
      ),
  },
  {
    files: /(?:^|\/)(?:poetry|uv|pdm|pylock)\.(?:lock|toml)$/,
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
