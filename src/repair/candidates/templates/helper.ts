/** Calls a function of the file that does more than the expression, and holds it. */
import { namesIn } from '../ingredients.ts';
import { isTarget, matchName } from '../scope.ts';
import { isPlain, replace, type Template } from '../template.ts';

const maxPart = 40;

export const helper: Template = {
  id: 'helper',
  title: 'a function of the file in place of a part of it',
  source:
    'inconsistent clones (Juergens et al. 2009); redundancy of fixes (Martinez et al. 2014); "Change Caller in Function Call" of ManySStuBs4J (Karampatsis, Sutton 2020)',
  prior: 0.5,
  *propose({ node, language, names, ingredients }) {
    const isPart = isPlain(node, language) || language.types.binary.has(node.type);
    if (!isPart || node.text.length > maxPart || isTarget(node)) return;
    const own = namesIn(node, language);
    const known = new Set(names(node).map(n => n.name));
    for (const { name, parameter, body, start, end } of ingredients.helpers) {
      const isInside = node.startIndex >= start && node.endIndex <= end;
      if (isInside || !known.has(name)) continue;
      for (const argument of own) {
        const held = node.text.replaceAll(matchName(argument), () => parameter);
        if (holds(body, held)) yield replace(node, `${name}(${argument})`);
      }
    }
  },
};

/** True if the body of a function holds an expression as a part, and does not just return it. */
function holds(body: string, expression: string): boolean {
  const bare = (text: string) => text.replace(/[\s{};]|\breturn\b/g, '');
  const part = new RegExp(`(?<![\\w$.])${RegExp.escape(expression)}(?![\\w$.(])`);
  return bare(body) !== bare(expression) && part.test(body);
}
