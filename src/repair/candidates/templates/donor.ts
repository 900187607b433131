/** Replaces a statement or an expression with a similar one of the project. */
import type { Node } from 'web-tree-sitter';
import { isExpression, namesIn } from '../ingredients.ts';
import { isGlobal } from '../predicates.ts';
import { isTarget, matchName } from '../scope.ts';
import { replace, type Site, type Template } from '../template.ts';

export const donor: Template = {
  id: 'donor',
  title: 'a similar part of the project in its place',
  source:
    'redundancy of fixes (Martinez et al. 2014); similar code of ssFix (Xin, Reiss 2017), SimFix (Jiang et al. 2018) and CapGen (Wen et al. 2018)',
  prior: 0.3,
  *propose(site) {
    const { node, language, ingredients } = site;
    const isStatement =
      language.types.simple.has(node.type) && language.types.block.has(node.parent?.type ?? '');
    if (!isStatement && (!isExpression(node, language) || isTarget(node))) return;
    if (node.text.length > 200) return;
    const similar = isStatement ? ingredients.similarStatements : ingredients.similarExpressions;
    for (const { piece, likeness } of similar(node.text))
      for (const [text, weight] of fitted(piece.text, piece.names, site))
        if (text !== node.text) yield replace(node, text, likeness * weight);
  },
};

/** The text of a piece if its names can be used here, and with its only other name made a name of the node. */
function* fitted(
  text: string,
  names: readonly string[],
  { node, language, names: known }: Site,
): Iterable<readonly [text: string, weight: number]> {
  const here = new Set(known(node).map(n => n.name));
  const foreign = names.filter(n => !here.has(n) && !isGlobal(n));
  if (foreign.length === 0) yield [text, 1];
  const own = ownNames(node, language);
  const others = foreign.length > 0 ? foreign : names.filter(n => !own.includes(n) && !isGlobal(n));
  const [only] = others;
  if (only === undefined || others.length > 1) return;
  for (const name of own.slice(0, 4)) yield [text.replaceAll(matchName(only), name), 0.6];
}

const ownNames = (node: Node, language: Site['language']) =>
  namesIn(node, language).filter(n => !isGlobal(n));
