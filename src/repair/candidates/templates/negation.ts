/** Negates a condition or a boolean, or adds or removes a sign. */
import type { Node } from 'web-tree-sitter';
import { type LanguageAdapter, nodeTypes } from '../../languages/language.ts';
import { type EditProposal, replace, type Template } from '../template.ts';

/** Nodes whose value may be a boolean. */
const booleanParents = nodeTypes(
  'return_statement assignment assignment_expression variable_declarator arrow_function arguments argument_list',
);

export const negation: Template = {
  id: 'negation',
  title: 'a negation or a sign',
  source:
    '"Change Unary Operator" of ManySStuBs4J (Karampatsis, Sutton 2020); TBar FP6 (Liu et al. 2019); negated conditions of SPR (Long, Rinard 2015)',
  prior: 0.6,
  *propose({ node, language }) {
    const inner = /^(unary_expression|unary_operator|not_operator)$/.test(node.type)
      ? (node.childForFieldName('argument') ?? node.lastNamedChild)
      : null;
    if (inner !== null) yield replace(node, inner.text, 1);
    const condition = language.getCondition(node);
    if (condition !== undefined) yield replace(condition, language.not(condition.text), 0.8);
    const { parent } = node;
    if (parent !== null && node.isNamed && /^(&&|\|\||and|or)$/.test(parent.child(1)?.type ?? ''))
      yield replace(node, language.not(node.text), 0.5);
    yield* signs(node, language);
    yield* truths(node, language);
  },
};

const signed = nodeTypes(
  'arguments argument_list return_statement assignment assignment_expression variable_declarator augmented_assignment augmented_assignment_expression subscript subscript_expression list array',
);

/** Replaces `x` with `-x` where a number is possible. */
function* signs(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  if (!signed.has(node.parent?.type ?? '')) return;
  const { types } = language;
  const plain = [types.number, types.call, types.index, types.name].some(t => t.has(node.type));
  const isTarget =
    /assignment|declarator/.test(node.parent?.type ?? '') && node.previousSibling === null;
  const isObject = types.index.has(node.parent?.type ?? '') && node.previousSibling === null;
  if (plain && !isTarget && !isObject && node.text !== '0')
    yield replace(node, `-${node.text}`, 0.25);
  if (types.binary.has(node.type) && /^[-+]$/.test(node.child(1)?.type ?? ''))
    yield replace(node, `-(${node.text})`, 0.15);
}

/** Negates a returned or assigned boolean. */
function* truths(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  const { parent } = node;
  if (!booleanParents.has(parent?.type ?? '')) return;
  const { types, tokens } = language;
  const isTruth =
    (types.binary.has(node.type) &&
      /^(===?|!==?|<=?|>=?|&&|\|\||and|or|in|is)$/.test(node.child(1)?.type ?? '')) ||
    types.call.has(node.type);
  if (isTruth) yield replace(node, language.not(node.text), types.call.has(node.type) ? 0.2 : 0.5);
  if (node.text === tokens.yes) yield replace(node, tokens.no, 1);
  if (node.text === tokens.no) yield replace(node, tokens.yes, 1);
}
