/** Matches paths against a glob that a model wrote, in bounded time for every pattern, unlike a regular expression. */
import { expand } from 'brace-expansion';
import { globTest } from '../base/globs.ts';

/** Maximum patterns that the braces of one stand for. */
const maxAlternatives = 50;

/**
 * A test for paths relative to the root, ignoring case: `*` and `?` stand for characters of one name, `**`
 * for any folders, `{a,b}` for a or b. Brackets stand for themselves. Undefined for too many braces.
 */
export function filePattern(pattern: string): ((path: string) => boolean) | undefined {
  const glob = pattern.replace(/^(?:\.?\/)+/, '');
  if (expand(glob, { max: maxAlternatives + 1 }).length > maxAlternatives) return undefined;
  return globTest(glob, { nocase: true, brackets: false });
}
