/** Adds a missing call around an expression: a conversion, a rounding, a copy, or a function of the same file. */
import type { Node } from 'web-tree-sitter';
import { type LanguageAdapter, nodeTypes } from '../../languages/language.ts';
import { isPlain, replace, type Template } from '../template.ts';

const places = nodeTypes(
  'arguments argument_list return_statement assignment assignment_expression variable_declarator binary_expression binary_operator comparison_operator arrow_function for_in_statement for_statement subscript subscript_expression augmented_assignment augmented_assignment_expression parenthesized_expression pair array list member_expression attribute template_substitution interpolation keyword_argument for_in_clause',
);

export const wrapCall: Template = {
  id: 'wrap-call',
  title: 'a missing call or conversion',
  source:
    'TBar FP3 "Mutate Class Instance Creation", FP8 "Mutate Data Type" and FP10 (Liu et al. 2019); missing function call class of QuixBugs (Lin et al. 2017); BugsInPy conversions (Widyasari et al. 2020)',
  prior: 0.35,
  *propose({ node, language, ingredients }) {
    if (!isValue(node, language)) return;
    const parent = node.parent?.type ?? '';
    const weight = /return|assign|declarator|argument/.test(parent) ? 1 : 0.5;
    const text = /^(arguments|argument_list)$/.test(node.type) ? '' : node.text;
    for (const name of language.conversions) yield replace(node, `${name}(${text})`, weight * 0.6);
    const object = language.types.binary.has(node.type) ? `(${text})` : text;
    for (const name of language.methods) yield replace(node, `${object}.${name}()`, weight * 0.4);
    for (const copy of language.copies(object)) yield replace(node, copy, weight * 0.5);
    yield* bothSides(node, language);
    yield* boundValue(node, language, weight);
    for (const [name, parameters] of ingredients.functions)
      if (parameters === 1) yield replace(node, `${name}(${text})`, weight * 0.4);
  },
};

/** Keeps a value above or below a bound, or pads a number to two digits. */
function* boundValue(node: Node, { name, types }: LanguageAdapter, weight: number) {
  const [prefix, padded] =
    name === 'python'
      ? ['', `str(${node.text}).zfill(2)`]
      : ['Math.', `String(${node.text}).padStart(2, '0')`];
  if (types.binary.has(node.type) || types.call.has(node.type))
    for (const bound of ['0', '1'])
      for (const which of ['max', 'min'])
        yield replace(node, `${prefix}${which}(${bound}, ${node.text})`, weight * 0.35);
  yield replace(node, padded, weight * 0.15);
}

/** Adds a conversion on both sides of an operator. */
function* bothSides(node: Node, { types, conversions }: LanguageAdapter) {
  const [left, right] = [
    node.childForFieldName('left') ?? node.firstNamedChild,
    node.childForFieldName('right') ?? node.lastNamedChild,
  ];
  if (!types.binary.has(node.type) || left === null || right === null || node.childCount !== 3)
    return;
  const operator = node.child(1)?.text ?? '';
  for (const name of conversions.slice(0, 8))
    yield replace(node, `${name}(${left.text}) ${operator} ${name}(${right.text})`, 0.2);
}

function isValue(node: Node, language: LanguageAdapter): boolean {
  const { parent } = node;
  if (parent === null || !node.isNamed || !places.has(parent.type)) return false;
  if (!isPlain(node, language) && !language.types.binary.has(node.type)) return false;
  if (/^(boolean_operator)$/.test(node.type)) return false;
  const target = parent.childForFieldName('left') ?? parent.childForFieldName('name');
  const assigned = /assign|declarator|for_in|for_statement|keyword/.test(parent.type);
  return !(assigned && target?.id === node.id) && node.text.length <= 80 && node.text !== '';
}
