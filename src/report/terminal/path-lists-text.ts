/** Shows what each list of paths means in a repository, with example paths on either side. */
import { pathMatcher } from '../../base/path-patterns.ts';
import { pathClasses } from '../../ecosystems/tests/path-classes.ts';
import { findPattern, isPathClass } from '../../guard/path-classes.ts';

export interface PathRules {
  /** Key and file, such as `protected_paths of constitution.md`. */
  readonly title: string;
  readonly patterns: readonly string[];
  /** What a file in the list is, and what another one is. */
  readonly sides: readonly [inside: string, outside: string];
  /** True for a list of this repository. Of Photon's own, only the patterns that match a file are shown. */
  readonly isOwn: boolean;
}

const maxInside = 3;
const maxOutside = 2;

/** One block for each list: for each pattern the number of files, and examples of files in the list and outside. */
export function renderPathLists(lists: readonly PathRules[], files: readonly string[]): string {
  return lists.map(list => renderList(list, files)).join('');
}

function renderList({ isOwn, ...list }: PathRules, files: readonly string[]): string {
  const byPattern = new Map(list.patterns.map(pattern => [pattern, [] as string[]]));
  const others: string[] = [];
  const classes = list.patterns.filter(isPathClass);
  const isMatched = pathMatcher(list.patterns.filter(pattern => !isPathClass(pattern)));
  // the whole list first: most files match none of its patterns
  for (const file of files)
    if (isMatched(file) === undefined && findPattern(pathClasses, classes, file) === undefined)
      others.push(file);
    else
      for (const [pattern, found] of byPattern)
        if (findPattern(pathClasses, [pattern], file) !== undefined) found.push(file);
  const lines = [...byPattern].flatMap(([pattern, found]) => {
    if (found.length > 0) return renderPattern(list, pattern, { found, others });
    return isOwn ? [`  warning: ${pattern} matches no tracked file`] : [];
  });
  const count = files.length - others.length;
  return `\n${list.title}: ${count} of ${files.length} tracked files ${list.sides[0]}\n${lines.map(line => `${line}\n`).join('')}`;
}

function renderPattern(
  { sides: [inside, outside] }: Pick<PathRules, 'sides'>,
  pattern: string,
  { found, others }: { readonly found: readonly string[]; readonly others: readonly string[] },
): readonly string[] {
  const near = nearest(pattern, others);
  return [
    `  ${pattern} (${found.length})`,
    `    ${inside}: ${found.slice(0, maxInside).join(', ')}${found.length > maxInside ? ', …' : ''}`,
    near.length === 0 ? undefined : `    ${outside}: ${near.join(', ')}`,
  ].filter(item => item !== undefined);
}

/** Files outside the list, first those that a reader of the pattern could believe to be in it. */
function nearest(pattern: string, others: readonly string[]): readonly string[] {
  const words = (pattern.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).toSorted(
    (a, b) => b.length - a.length,
  );
  const near = words.flatMap(word => others.filter(file => file.toLowerCase().includes(word)));
  return [...new Set([...near, ...others])].slice(0, maxOutside);
}
