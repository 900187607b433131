/** Manifests and lock files as lists of package versions. They are foreign text: what cannot be read lists nothing. */
import { asObject, parseJson } from '../../base/schema-issue.ts';

/** A package and its version. */
export type NamedVersion = readonly [name: string, version: string];

/** A kind of file that names versions of packages. */
export interface PackageList {
  readonly files: RegExp;
  /** The registry, as GitHub's advisory database names it. */
  readonly source: 'npm' | 'pip' | 'go' | 'rust' | 'maven' | 'rubygems' | 'composer' | 'nuget';
  /** True for a manifest: it names the lowest version that it allows, and a lock file knows better. */
  readonly isManifest?: boolean;
  readonly read: (text: string) => readonly NamedVersion[];
}

/** Every match of a pattern with the flag `g`, whose first two groups are name and version. */
export function matchVersions(text: string, pattern: RegExp): readonly NamedVersion[] {
  return [...text.matchAll(pattern)].map(([, name = '', version = '']) => [name, version]);
}

/** The same with a requirement in place of the version, which counts as the lowest version that it allows. */
export function matchRequirements(text: string, pattern: RegExp): readonly NamedVersion[] {
  return matchVersions(text, pattern).flatMap(([name, wanted]) => withLowest(name, wanted));
}

/** A package with the lowest version that a requirement allows; nothing if it has no lower bound. An alias of npm names another. */
export function withLowest(name: string, requirement: unknown): readonly NamedVersion[] {
  const text = typeof requirement === 'string' ? requirement.replace(/\s+/g, ' ') : '';
  const [, real = name, range = text] = /^npm:(@?[^@]+)@(.+)$/.exec(text) ?? [];
  const parts = range.slice(0, 1_000).split(/\|\||[, ]+(?=[^\d ])/);
  const found = parts.map(
    part => /^\s*[~^=>]*\s*v?(\d+(?:\.\d+)*(?:-?[a-wyz]\w*(?:\.\w+)*)?)/i.exec(part)?.[1],
  );
  const version = found.find(lowest => lowest !== undefined);
  return version === undefined ? [] : [[real, version]];
}

/** The packages of Cargo.lock and of the lock files of Python's tools, but for those of the project itself. */
export function readTomlLock(text: string): readonly NamedVersion[] {
  return text
    .split(/^\[\[packages?\]\]$/m)
    .slice(1)
    .filter(block => !/^source = \{ (?:editable|virtual|directory) /m.test(block))
    .flatMap(block => matchVersions(block, /^name = ["'](.+)["']\nversion = ["'](.+)["']$/gm));
}

/** The packages of those tables whose head fits: one a line, or the one that the head names in its first group. */
export function readTomlTables(text: string, head: RegExp): readonly NamedVersion[] {
  return text.split(/^(?=\[)/m).flatMap(table => {
    const [whole, own] = head.exec(table) ?? [];
    if (whole === undefined) return [];
    const lines = table.matchAll(/^["']?([\w-]+)(?:\.version)?["']? *= *(.+)$/gm);
    const named = own === undefined ? [...lines].map(m => m.slice(1)) : [[own, table]];
    return named.flatMap(([name = '', wanted = '']) => {
      const [, real = name] = /\bpackage *= *["']([^"'\n]+)/.exec(wanted) ?? [];
      return withLowest(real, /(?:^|\bversion *= *)["']([^"'\n]+)/.exec(wanted)?.[1]);
    });
  });
}

/** The value of a JSON file at a path of keys; an empty object if there is none. */
export function readJsonAt(text: string, ...keys: readonly string[]): Record<string, unknown> {
  return keys.reduce((value, key) => asObject(value[key]), asObject(parseJson(text)));
}
