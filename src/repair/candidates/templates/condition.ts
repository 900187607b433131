/** Makes a condition stronger or weaker: removes or adds a part. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import { predicatesFor } from '../predicates.ts';
import { type EditProposal, replace, type Site, type Template } from '../template.ts';

export const condition: Template = {
  id: 'condition',
  title: 'a stronger or weaker condition',
  source:
    'PAR "Expression Adder, Remover and Replacer" (Kim et al. 2013); TBar FP6 (Liu et al. 2019); "More Specific If", "Less Specific If" of ManySStuBs4J (Karampatsis, Sutton 2020); condition refinement of SPR (Long, Rinard 2015)',
  prior: 0.45,
  *propose(site) {
    yield* less(site.node, site.language);
    const decided =
      site.language.getCondition(site.node) ?? findReturned(site) ?? operand(site.node);
    if (decided === undefined) return;
    yield* more(decided, site);
    for (const piece of site.ingredients.conditions)
      if (piece.text !== decided.text && usable(piece.names, site))
        yield replace(decided, piece.text, 0.3);
  },
};

const joins = /^(&&|\|\||and|or)$/;

/** Keeps one side of a connective. */
function* less(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  if (!language.types.binary.has(node.type) || !joins.test(node.child(1)?.type ?? '')) return;
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
  if (left !== null) yield replace(node, left.text, 0.6);
  if (right !== null) yield replace(node, right.text, 0.6);
}

/** The boolean that a function returns, if it does. */
function findReturned({ node, language }: Site): Node | undefined {
  const value = node.type === language.types.return ? node.firstNamedChild : null;
  if (value === null || !language.types.binary.has(value.type)) return undefined;
  return compares.test(value.child(1)?.type ?? '') ? value : undefined;
}

/** A comparison in parentheses that is an operand of a connective. */
function operand({ type, parent, firstNamedChild }: Node): Node | undefined {
  // a comment may be in front of the operator
  const join = parent?.childForFieldName('operator')?.type ?? '';
  if (type !== 'parenthesized_expression' || !joins.test(join)) return undefined;
  return firstNamedChild !== null && compares.test(firstNamedChild.child(1)?.type ?? '')
    ? firstNamedChild
    : undefined;
}

const compares = /^(===?|!==?|<=?|>=?|&&|\|\||and|or|in|is)$/;

function* more(decided: Node, site: Site): Iterable<EditProposal> {
  const { tokens } = site.language;
  const groupMixed = (join: string) => {
    const inner = decided.child(1)?.type ?? '';
    return joins.test(inner) && inner !== join ? `(${decided.text})` : decided.text;
  };
  for (const { text, weight } of predicatesFor(decided, site)) {
    if (text === decided.text) continue;
    const { and, or } = tokens;
    yield replace(decided, `${groupMixed(and)} ${and} ${text}`, weight * 0.5);
    yield replace(decided, `${groupMixed(or)} ${or} ${text}`, weight * 0.5);
    yield replace(decided, `${text} ${and} ${groupMixed(and)}`, weight * 0.5);
    yield replace(decided, `${text} ${or} ${groupMixed(or)}`, weight * 0.4);
  }
}

function usable(names: readonly string[], { node, names: known }: Site): boolean {
  const here = new Set(known(node).map(n => n.name));
  return names.every(
    n => here.has(n) || /^(Math|Number|Array|Object|len|isinstance|undefined|any|all)$/.test(n),
  );
}
