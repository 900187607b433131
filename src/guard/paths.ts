/** Paths that a model writes: checked and normalised without access to a file system, and matched with patterns and path classes. */
import { type PathMatcher, pathMatcher } from '../base/path-patterns.ts';
import type { Claim, ClaimFacts } from './claim.ts';

/** Characters that HFS+ ignores in names: there, `.g\u200cit` is `.git`. */
const ignorable = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A file name without the parts that a file system may ignore: the characters that HFS+ ignores, and on
 * NTFS the stream after a colon and trailing dots and spaces.
 */
function bareName(name: string): string {
  const plain = name.replace(ignorable, '').normalize('NFKC').split(':')[0] ?? '';
  return plain.replace(/(?<![. ])[. ]+$/, '') || name;
}

/** True when a path component is git's own folder on some file system. */
export function isGitFolder(component: string): boolean {
  const name = bareName(component).toLowerCase();
  return name === '.git' || /^git~\d+$/.test(name);
}

/** Short names that NTFS creates for long ones: there, `GITHUB~1` is `.github`. */
const shortName = /^[^~.]{1,6}~\d+(\.[^.]{1,3})?$/;

/**
 * Normalises a workspace path (`a/b`; an empty string for the root). Returns undefined for a path that could
 * leave the workspace: absolute, `..`, a drive, a backslash, control characters, a lone surrogate, or
 * git's own folder.
 */
export function normalisePath(raw: string): string | undefined {
  if (raw.length > 4096 || !raw.isWellFormed() || /[\u0000-\u001f\u007f\\]/.test(raw))
    return undefined;
  if (raw.startsWith('/') || raw.startsWith('~') || /^[a-z]:/i.test(raw)) return undefined;
  const parts = raw.split('/').filter(p => p !== '' && p !== '.');
  if (parts.some(p => p === '..' || isGitFolder(p))) return undefined;
  return parts.join('/');
}

/** Names that stand for a device on Windows, whatever the ending: `aux.js` cannot be a file there. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]|con(?:in|out)\$)(?:\.|$)/i;

/** The part of a path that cannot be checked out on Windows; undefined for a path that can (Microsoft: Naming Files). */
export function unportablePart(path: string): string | undefined {
  const isHeld = (name: string) =>
    !device.test(bareName(name)) && !/[<>:"|?*]|[. ]$/.test(name) && name.length <= 255;
  return path.split('/').find(name => !isHeld(name));
}

const packages =
  /(^|\/)(node_modules|bower_components|\.?venv|\.[nt]ox|site-packages|vendor|target|_build|deps)\//;

/** True for a path in a folder of installed packages, or for that folder with a slash at its end. */
export function isPackaged(path: string): boolean {
  return packages.test(path);
}

/** The files in which package managers keep the versions that they chose. */
export const lockFile =
  /(^|\/)([^/]+[.-]lock(\.json|\.ya?ml|b|file)?|npm-shrinkwrap\.json|go\.sum|Package\.resolved)$/;

/** The folder of a path; an empty string is the root. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/**
 * Compiles patterns of protected paths. The matcher also recognises the spellings that a file system
 * may treat as the same path, and reports every NTFS short name, which could be any of them.
 */
export function protectedMatcher(patterns: readonly string[]): PathMatcher {
  const test = pathMatcher(patterns);
  return path => {
    const names = path.split('/');
    const short = names.map(bareName).find(name => shortName.test(name));
    const found = test(path) ?? test(names.map(bareName).join('/'));
    return (
      found ??
      (short === undefined
        ? undefined
        : `the short name ${short}, which may stand for a protected path`)
    );
  };
}

/** The paths that a call changes or plans to change, each once. */
export function changedPaths(claims: readonly (Claim | ClaimFacts)[]): readonly string[] {
  const named = claims.flatMap(claim =>
    claim.kind === 'write' ? [claim.path] : claim.kind === 'plan' ? claim.files : [],
  );
  return [...new Set(named.flatMap(path => normalisePath(path) ?? []))];
}

/** Folders with a dot whose files steer pipelines, hooks, editors, package managers or agents. */
const steeringFolders: readonly RegExp[] = [
  /^\.(git.*|photon|husky|lefthook|circleci|azure.*|buildkite|config|local|ssh|docker|kube|aws)$/,
  /^\.(vscode.*|idea|fleet|zed|devcontainer|storybook|cargo|mvn|yarn|pnpm.*|npm|bundle|nuget)$/,
  /^\.(claude.*|cursor.*|codex.*|gemini.*|aider.*|windsurf.*|roo.*|cline.*|continue|copilot)$/,
  /^\.(agents?|kiro|junie|amazonq|opencode|qwen|goose|trae|augment.*|kilocode|crush|factory|mcp.*)$/,
];

/**
 * True for a file in a folder with a dot that the task of a workflow declares as an output, such as
 * `.ai-sdd/outputs/l1.md`. False when a folder of it steers a tool, or when the task declares only a folder above the
 * one with the dot.
 */
export function isDeclaredDotFolder(path: string, outputs: readonly string[]): boolean {
  const folders = path.toLowerCase().split('/').slice(0, -1);
  if (folders.some(name => steeringFolders.some(r => r.test(name)))) return false;
  return outputs.some(output => {
    const folder = output.replace(/\/?$/, '/');
    if (path !== output && !path.startsWith(folder)) return false;
    return !path
      .slice(folder.length)
      .split('/')
      .slice(0, -1)
      .some(name => name.startsWith('.'));
  });
}

/** The path classes that a skill may use in its guards. */
export const pathClassNames = [
  '@tests',
  '@test-config',
  '@check-config',
  '@docs',
  '@manifests',
] as const;

export type PathClass = (typeof pathClassNames)[number];

/** The patterns of each path class. */
export type PathClasses = Readonly<Record<PathClass, readonly RegExp[]>>;

/** True for the name of a path class. */
export function isPathClass(pattern: string): pattern is PathClass {
  return (pathClassNames as readonly string[]).includes(pattern);
}

/** The first pattern (of paths, or a path class) that a path matches, or undefined. */
export function findPattern(
  classes: PathClasses,
  patterns: readonly string[],
  path: string,
): string | undefined {
  const matches = (pattern: string) =>
    isPathClass(pattern)
      ? classes[pattern].some(r => r.test(path))
      : pathMatcher([pattern])(path) !== undefined;
  return patterns.find(matches);
}

/** Which of some paths a text names, alone or at the end of a longer path. */
export function pathsIn(text: string, paths: readonly string[]): readonly string[] {
  const ends = new Set<string>();
  for (const word of text.split(/[\s"'`()<>[\]{},;:=|]+/)) {
    const path = word.replace(/(?<![.!?])[.!?]+$/, '');
    for (let at = 0; at >= 0; at = path.indexOf('/', at + 1))
      ends.add(path.slice(at).replace(/^\//, ''));
  }
  return paths.filter(path => ends.has(path));
}
