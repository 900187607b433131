/** Makes small conditions from the names at a place, for guards and for incomplete conditions. */
import type { Node } from 'web-tree-sitter';
import { localVariables, matchName } from './scope.ts';
import type { Site } from './template.ts';

interface Predicate {
  readonly text: string;
  /** Likelihood among the predicates, in (0, 1]. */
  readonly weight: number;
}

const maxNames = 8;
const maxPredicates = 90;

/** Predicates for a place: conditions of the same file first, then comparisons of the names. */
export function predicatesFor(node: Node, site: Site): readonly Predicate[] {
  const { language, ingredients } = site;
  const all = site.names(node);
  const here = new Set(all.map(n => n.name));
  const usable = localVariables(all).map(n => n.name);
  const near = usable.filter(n => matchName(n).test(node.text));
  const names = [...new Set([...near, ...usable])].slice(0, maxNames);
  const pieces = ingredients.conditions
    .filter(c => c.text.length <= 60 && c.names.every(n => here.has(n)) && c.names.length > 0)
    .flatMap(c => [
      { text: c.text, weight: 0.9 },
      { text: language.not(c.text), weight: 0.5 },
    ]);
  const made = [
    ...names.flatMap(n => alone(n, site, near.includes(n))),
    ...pairs(names, site, near),
  ];
  const seen = new Set<string>();
  return [...pieces, ...made]
    .filter(a => !seen.has(a.text) && seen.add(a.text))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxPredicates);
}

/** Predicates over one name: is it set, empty or zero? */
function alone(
  name: string,
  { language, ingredients }: Site,
  isNear: boolean,
): readonly Predicate[] {
  const { tokens } = language;
  const weight = isNear ? 1 : 0.5;
  const isList = ingredients.lists.has(name);
  const as = (text: string, of: number) => ({ text, weight: weight * of });
  const measured = isList
    ? [
        as(language.isEmpty(name), 1),
        as(`${language.lengthOf(name)} > 0`, 0.8),
        as(`${language.lengthOf(name)} < 2`, 0.6),
        as(`${language.lengthOf(name)} <= 1`, 0.5),
      ]
    : [];
  return [
    ...measured,
    as(language.not(name), 0.7),
    as(name, 0.7),
    as(`${name} ${tokens.equal} 0`, isList ? 0.1 : 0.8),
    as(`${name} < 0`, isList ? 0.1 : 0.6),
    as(`${name} > 0`, isList ? 0.1 : 0.6),
    as(`${name} <= 1`, isList ? 0.1 : 0.5),
    as(`${name} ${tokens.unequal} 0`, isList ? 0.1 : 0.5),
    as(language.name === 'python' ? `${name} is None` : `${name} == null`, 0.5),
    as(language.name === 'python' ? `${name} is not None` : `${name} != null`, 0.5),
  ];
}

/** Predicates over two names: comparisons, an index of a list, an element of a collection. */
function pairs(
  names: readonly string[],
  site: Site,
  near: readonly string[],
): readonly Predicate[] {
  const { language, ingredients } = site;
  const { tokens } = language;
  const found: Predicate[] = [];
  for (const [i, one] of names.entries())
    for (const [j, other] of names.entries()) {
      if (i === j) continue;
      const weight = [0.2, 0.4, 0.6][[one, other].filter(n => near.includes(n)).length] ?? 0;
      const as = (text: string, of = 1) => found.push({ text, weight: weight * of });
      if (ingredients.lists.has(other) && !ingredients.lists.has(one)) {
        as(`${one} < ${language.lengthOf(other)}`, 1.2);
        as(`${one} >= ${language.lengthOf(other)}`);
      }
      if (language.name === 'python') {
        as(`${one} in ${other}`);
        as(`${one} not in ${other}`);
      } else {
        as(`${other}.has(${one})`, 0.8);
        as(`!${other}.has(${one})`, 0.8);
        as(`${other}.includes(${one})`, 0.5);
      }
      if (i < j) {
        for (const operator of ['<', '>', '<=', '>=']) as(`${one} ${operator} ${other}`, 0.8);
        as(`${one} ${tokens.equal} ${other}`, 0.8);
        as(`${one} ${tokens.unequal} ${other}`, 0.8);
      }
    }
  return found;
}
