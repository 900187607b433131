/** Inserts a statement from elsewhere in the file before or after another one. */
import { isGlobal } from '../predicates.ts';
import { functionOfStatement, insertBefore, insertBehind, type Template } from '../template.ts';

const max = 40;
const leaves = /^(?:return|break|continue|throw|raise)\b/;
const throws = /^(?:throw|raise)\b/;
const risk =
  'it throws an error that the function throws in another place, whose condition may be the fault';

export const insert: Template = {
  id: 'insert',
  title: 'a statement from elsewhere in the file, inserted',
  source:
    'GenProg (Weimer et al. 2009); RSRepair (Qi et al. 2014); redundancy of fixes (Martinez et al. 2014)',
  prior: 0.15,
  *propose({ node, language, names, ingredients }) {
    const around = functionOfStatement(node, language);
    if (around === undefined) return;
    const here = new Set(names(node).map(n => n.name));
    const fitting = ingredients.statements
      .filter(
        s =>
          s.text !== node.text &&
          !s.text.includes('\n') &&
          s.names.every(n => here.has(n) || isGlobal(n)),
      )
      .map(s => ({
        ...s,
        near: s.line > around.startPosition.row && s.line <= around.endPosition.row + 1,
      }))
      .sort((a, b) => Number(b.near) - Number(a.near) || a.line - b.line)
      .slice(0, max);
    for (const { text, near } of fitting) {
      const weight = near ? 0.8 : 0.3;
      const warning = { risk: near && throws.test(text) ? risk : undefined };
      // nothing would run behind it
      if (!leaves.test(text)) yield { ...insertBefore(node, text, weight), ...warning };
      if (node.nextNamedSibling === null && !leaves.test(node.text))
        yield { ...insertBehind(node, text, weight), ...warning };
    }
  },
};
