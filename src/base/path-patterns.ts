/** Matches paths against lists of patterns as people write them in .gitignore. Pure. */
import { expand } from 'brace-expansion';
import ignore from 'ignore';
import * as z from 'zod';
import { globTest } from './globs.ts';
import { once } from './once.ts';

/** The pattern of a list that a path matches, or undefined. */
export type PathMatcher = (path: string) => string | undefined;

/** Maximum patterns that the braces of one pattern may stand for. */
const maxAlternatives = 1000;

/** An extended glob such as `!(*.md)` or `@(a|b)`, which .gitignore does not have. */
const extended = /(?<!\\)[!?*+@]\(|(?<!\\)\([^)]*\|/;

/** What may stand behind a backslash: characters that would otherwise have a meaning. */
const escaped = /\\[*?[\]{}()!#+@| ,]/g;

const asciiControl = /[\u0000-\u001f\u007f]/;

/** Forms that match no path of a repository, or take something away from the list. */
const mistakes: readonly (readonly [RegExp, string])[] = [
  [asciiControl, 'has a control character; write the path in one line'],
  [/^!(?!\()/, 'begins with !, which would take paths out of the list; remove it'],
  [/^#/, 'begins with #, a comment in .gitignore; for a name that begins with it, write \\#'],
  [/^\s*\/*\s*$/, 'names no path; for all files, write **'],
  [/^~/, 'begins with ~; write a path from the folder of the file, such as infra/'],
  [/^[a-z]:/i, 'begins with a drive; write a path from the root of the repository, such as infra/'],
  [/(^|\/)\.\.(\/|$)/, 'has .. in it, so it can match nothing; write a path inside the repository'],
  [/(^|\/)\.(\/|$)/, 'has a . folder in it, so it can match nothing; remove it'],
  [/\/\//, 'has // in it, so it can match nothing; write /'],
];

/** The pattern that matches one path alone. */
export function exactPattern(path: string): string {
  return `/${path.replace(/[\\*?[\]{}()!#+@| ,]/g, '\\$&')}`;
}

/** Why a pattern may not be in a list of paths, with what to write instead; undefined when it may. */
export function findPatternProblem(pattern: string): string | undefined {
  if (pattern.replace(escaped, '').includes('\\'))
    return 'has a backslash, so it can match nothing; separate folders by /';
  const alternatives = expandBraces(pattern);
  if (alternatives.length > maxAlternatives)
    return `stands for more than ${maxAlternatives} patterns; write fewer alternatives in braces`;
  for (const each of [pattern, ...alternatives]) {
    const found = mistakes.find(([form]) => form.test(each));
    if (found !== undefined) return found[1];
    if (extended.test(each) && each.endsWith('/'))
      return 'has an extended glob and ends in /, so it can match nothing; end it in /**';
  }
  return undefined;
}

/** A pattern of a list of paths. */
export const pathPattern = z
  .string()
  .min(1)
  .max(200)
  .superRefine((pattern, context) => {
    const problem = findPatternProblem(pattern);
    if (problem !== undefined)
      context.addIssue({ code: 'custom', message: `${JSON.stringify(pattern)} ${problem}` });
  });

/** The patterns that the braces of one stand for. Braces in an extended glob belong to it. */
function expandBraces(pattern: string): readonly string[] {
  return pattern.includes('{') && !extended.test(pattern)
    ? expand(pattern, { max: maxAlternatives + 1 })
    : [pattern];
}

/**
 * Patterns of the list of a folder as patterns from the root. As in .gitignore, one without a slash inside
 * matches at any depth below the folder.
 */
export function patternsBelow(folder: string, patterns: readonly string[]): readonly string[] {
  if (folder === '') return patterns;
  const itself = literalPattern(folder);
  return patterns.flatMap(expandBraces).map(pattern => {
    const isAnchored = pattern.slice(0, -1).includes('/');
    return `${itself}/${isAnchored ? '' : '**/'}${pattern.replace(/^\//, '')}`;
  });
}

/** The pattern that a path itself matches, and no other. */
export function literalPattern(path: string): string {
  return path.replace(/[\\*?[\]{}()!#+@|]/g, '\\$&');
}

/** By content, because a record holds a copy of a list; a list takes some ten milliseconds at its first path. */
const compiled = new Map<string, PathMatcher>();
const maxCompiled = 1_000;

/**
 * Compiles a list: .gitignore's semantics with braces, and case ignored. A path also counts as a folder, so
 * that `ops/` matches a new file of that name. An extended glob matches the whole path of a file only.
 */
export function pathMatcher(patterns: readonly string[]): PathMatcher {
  const key = JSON.stringify(patterns);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const rules: { readonly pattern: string; readonly mark: string }[] = [];
  const globs: { readonly mark: string; readonly test: (path: string) => boolean }[] = [];
  for (const mark of patterns)
    if (extended.test(mark)) {
      const anywhere = mark.includes('/') ? mark.replace(/^\//, '') : `**/${mark}`;
      const test = globTest(anywhere, { nocase: true });
      globs.push({ mark, test: path => test(path) || test(`${path}/`) });
    } else
      for (const pattern of expandBraces(mark).flatMap(listSpellings))
        if (countWildcards(pattern) <= maxWildcards) rules.push({ pattern, mark });
        else globs.push({ mark, test: asInGitignore(pattern) });
  const find = ruleFinder(rules);
  const matchPath: PathMatcher = path => {
    if (!ignore.isPathValid(path)) return undefined;
    return find(path) ?? globs.find(glob => glob.test(path))?.mark;
  };
  if (compiled.size >= maxCompiled) compiled.clear();
  compiled.set(key, matchPath);
  return matchPath;
}

/**
 * Finds the rule of a path, with one expression in front that rules most paths out: the library compiles an
 * expression for each rule, and the shipped lists hold hundreds.
 */
function ruleFinder(
  rules: readonly { readonly pattern: string; readonly mark: string }[],
): PathMatcher {
  const makeMatcher = (some: typeof rules) => {
    const list = ignore().add(some);
    return (path: string): string | undefined =>
      (list.test(path).rule ?? list.test(`${path}/`).rule)?.mark;
  };
  const outlines = new Map(rules.map(rule => [rule, buildOutline(rule.pattern)] as const));
  const outlined = [...outlines.values()].filter(outline => outline !== undefined);
  const mayMatch = new RegExp(`(?:^|/)(?:${[...new Set(outlined)].join('|')})(?:/|$)`, 'is');
  const all = once(() => makeMatcher(rules));
  const rest = once(() => makeMatcher(rules.filter(rule => outlines.get(rule) === undefined)));
  return path => (outlined.length > 0 && mayMatch.test(path) ? all() : rest())(path);
}

/**
 * More of them in a pattern would make the expressions of the library slow on a long path: each takes the length of
 * the path as a factor.
 */
const maxWildcards = 2;

function countWildcards(pattern: string): number {
  return pattern.replace(/\\./g, '').split(/\*+/).length - 1;
}

/** The test of one pattern of .gitignore without its library. */
function asInGitignore(pattern: string): (path: string) => boolean {
  const isAnchored = pattern.slice(0, -1).includes('/');
  const glob = `${isAnchored ? '' : '**/'}${pattern.replace(/^\//, '').replace(/\/$/, '')}`;
  const tests = [glob, `${glob}/**`].map(each => globTest(each, { nocase: true, braces: false }));
  return path => tests.some(test => test(path));
}

/** Letters, digits and single stars, or two stars alone. */
const plainPart = /^(?:\*\*|(?:[\w.-]|\*(?!\*))+)$/;
/** An expression for the part of a path that a plain pattern matches, at any depth; undefined for any other pattern. */
function buildOutline(pattern: string): string | undefined {
  const parts = pattern.split('/').filter(part => part !== '');
  const isNamed = (part: string) => part !== '**';
  const named = parts.slice(parts.findIndex(isNamed), parts.findLastIndex(isNamed) + 1);
  const isPlain = parts.every(part => plainPart.test(part)) && named.length > 0;
  if (!isPlain) return undefined;
  const [first = '', ...others] = named.map(part =>
    part === '**' ? '(?:/.*)?' : `/${part.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}`,
  );
  return [first.slice(1), ...others].join('');
}

/** A pattern, also with its brackets as characters (`app/[id]/`), and in the form of names that are compared. */
function listSpellings(pattern: string): readonly string[] {
  const literal = pattern.replace(/(?<!\\)[[\]]/g, '\\$&');
  return [...new Set([pattern, literal].flatMap(each => [each, each.normalize('NFKC')]))];
}

/** Matches paths against globs as editors read them: from the root, case counts, and `*` alone is every file. */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const matches = globs.map(glob => globTest(glob === '*' ? '**' : glob));
  return path => matches.some(match => match(path));
}
