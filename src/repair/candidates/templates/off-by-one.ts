/** Adds or subtracts one: a number, an index, a bound, an argument or a result. */
import type { Node } from 'web-tree-sitter';
import { type LanguageAdapter, nodeTypes } from '../../languages/language.ts';
import { type EditProposal, replace, type Template } from '../template.ts';

/** Nodes whose value is never a number. */
const neverNumbers = nodeTypes(
  'string array object list dictionary lambda arrow_function comparison_operator boolean_operator not_operator true false none null undefined this assignment assignment_expression keyword_argument spread_element list_splat slice await template_string regex new_expression pair tuple set generator_expression list_comprehension function_expression object_pattern array_pattern',
);

/** Nodes in which a sum needs no parentheses. */
const freeParents = nodeTypes(
  'parenthesized_expression arguments argument_list return_statement subscript subscript_expression slice assignment assignment_expression variable_declarator',
);

export const offByOne: Template = {
  id: 'off-by-one',
  title: 'one more or one less',
  source:
    'literal and expression mutation: TBar FP9 (Liu et al. 2019); "Change Numeral" of ManySStuBs4J (Karampatsis, Sutton 2020); off-by-one class of QuixBugs (Lin et al. 2017)',
  prior: 0.8,
  *propose({ node, language }) {
    if (language.types.number.has(node.type)) yield* beside(node);
    yield* withoutOne(node);
    const weight = placeWeight(node, language);
    if (weight === 0) return;
    const plain =
      /^[\w$.]+(\[[^[\]]*\]|\([^()]*\))?$/.test(node.text) ||
      node.type === 'parenthesized_expression';
    const text = plain || isFree(node) ? node.text : `(${node.text})`;
    yield replace(node, `${text} + 1`, weight);
    yield replace(node, `${text} - 1`, weight);
  },
};

/** A whole number plus and minus one. */
function* beside(node: Node): Iterable<EditProposal> {
  const value = Number(node.text);
  // `withoutOne` proposes to add nothing
  const isAdded =
    /^[+-]$/.test(node.previousSibling?.type ?? '') && /^binary/.test(node.parent?.type ?? '');
  if (!/^\d{1,9}$/.test(node.text)) return;
  yield replace(node, String(value + 1), 1);
  if (value === 1 && isAdded) return;
  if (value > 0 || node.parent?.type !== 'unary_operator')
    yield replace(node, value === 0 ? '-1' : String(value - 1), value === 0 ? 0.5 : 1);
}

/** `n - 1` becomes `n`, and `n + 1` becomes `n - 1`. */
function* withoutOne(node: Node): Iterable<EditProposal> {
  if (!/^binary_(expression|operator)$/.test(node.type)) return;
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
  const operator = node.childForFieldName('operator')?.type ?? node.child(1)?.type ?? '';
  if (left === null || right === null || right.text !== '1' || !/^[+-]$/.test(operator)) return;
  yield replace(node, left.text, 1);
}

const arithmetic = /^(binary_expression|binary_operator)$/;

/** The likelihood that a place lacks plus or minus one; 0 if that makes no sense. */
function placeWeight(node: Node, language: LanguageAdapter): number {
  const { types } = language;
  if (types.text.has(node.type) || types.number.has(node.type)) return 0;
  if (neverNumbers.has(node.type)) return 0;
  const { parent } = node;
  if (parent === null || !node.isNamed) return 0;
  if (parent.type === 'parenthesized_expression')
    return isJudgement(node) ? 0 : inParentheses(parent);
  if (types.index.has(parent.type)) return parent.firstNamedChild?.id === node.id ? 0 : 0.8;
  if (parent.type === 'slice') return 0.8;
  if (parent.type === types.return) return isJudgement(node) ? 0 : 0.6;
  if (/^(arguments|argument_list)$/.test(parent.type)) return isJudgement(node) ? 0 : 0.45;
  if (/^(binary_expression|comparison_operator)$/.test(parent.type)) {
    const operator = parent.childForFieldName('operator')?.type ?? parent.child(1)?.type ?? '';
    if (/^[<>]=?$/.test(operator)) return 0.5;
    return /^(===|==|!==|!=|%)$/.test(operator) ? 0.3 : 0.25;
  }
  if (/^(assignment|assignment_expression|variable_declarator)$/.test(parent.type))
    return isAssignedValue(parent, node) && !isJudgement(node) ? 0.35 : 0;
  if (/^augmented_assignment/.test(parent.type))
    return parent.childForFieldName('right')?.id === node.id ? 0.3 : 0;
  // a branch of a conditional expression
  if (/^(ternary_expression|conditional_expression)$/.test(parent.type))
    return parent.childForFieldName('condition')?.id === node.id || isJudgement(node) ? 0 : 0.4;
  return arithmetic.test(parent.type) ? 0.25 : 0;
}

/** The likelihood for the whole of an operand in parentheses, such as `(low + high) / 2`. */
const inParentheses = (node: Node) =>
  arithmetic.test(node.parent?.type ?? '') &&
  /^([-*%+]|\/\/?|>>>?|<<)$/.test(node.parent?.child(1)?.type ?? '')
    ? 0.3
    : 0;

const isAssignedValue = (parent: Node, node: Node) =>
  (parent.childForFieldName('right') ?? parent.childForFieldName('value'))?.id === node.id;

function isJudgement(node: Node): boolean {
  return (
    /^(===|==|!==|!=|<|>|<=|>=|&&|\|\||!)$/.test(node.childForFieldName('operator')?.type ?? '') ||
    /^(ternary_expression|conditional_expression)$/.test(node.type)
  );
}

/** True if no operator around the node binds closer than a sum. */
function isFree(node: Node): boolean {
  return freeParents.has(node.parent?.type ?? '');
}
