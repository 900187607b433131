/** Adds a copy of a statement for another member, where each of several members is copied: `to.b = from.b` beside `to.a = from.a`. */
import { insertBefore, isInBlock, type Template } from '../template.ts';

const copied = /^([\w$]+)\.([\w$]+) = ([\w$]+)\.([\w$]+);?$/;

export const parallel: Template = {
  id: 'parallel',
  title: 'a missing copy of a statement for another member',
  source:
    'omissions in copied code: CP-Miner (Li et al. 2004); plastic surgery hypothesis (Barr et al. 2014); missing assignment of the orthogonal defect classes (Durães, Madeira 2006)',
  prior: 0.4,
  *propose({ node, language, names, ingredients }) {
    if (!isInBlock(node, language)) return;
    const here = new Set(names(node).map(n => n.name));
    const models = new Map<string, Model>();
    for (const { text } of ingredients.statements) {
      const [, to = '', member, from = '', same] = copied.exec(text) ?? [];
      if (member === undefined || member !== same || to === from) continue;
      if (!here.has(to) || !here.has(from)) continue;
      const key = `${to}\0${from}`;
      const known = models.get(key) ?? { to, from, members: new Set() };
      models.set(key, known);
      known.members.add(member);
    }
    const weight = /^return\b/.test(node.text) ? 1 : 0.6;
    for (const { to, from, members } of [...models.values()].slice(0, maxModels))
      for (const member of missingMembers(members, ingredients.members))
        yield insertBefore(
          node,
          `${to}.${member} = ${from}.${member}${language.tokens.end}`,
          weight,
        );
  },
};

/** Statements that copy members from one object to another. */
interface Model {
  readonly to: string;
  readonly from: string;
  readonly members: Set<string>;
}

const maxModels = 4;
const maxMembers = 12;
/** Number of copied members that another object must have to be of the same kind. */
const leastCommon = 2;

/** Members of objects of the same kind that are not copied. */
function missingMembers(
  copiedMembers: ReadonlySet<string>,
  byObject: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const [object, members] of byObject) {
    if (object === '') continue;
    const common = members.filter(m => copiedMembers.has(m)).length;
    if (common < Math.min(leastCommon, copiedMembers.size)) continue;
    for (const member of members)
      if (!copiedMembers.has(member)) counts.set(member, (counts.get(member) ?? 0) + common);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([member]) => member)
    .slice(0, maxMembers);
}
