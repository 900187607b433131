/** Adds a missing check for an absent value: `?.`, `?? value`, `or value`, `.get(key)`. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import { isTarget } from '../scope.ts';
import { type EditProposal, isPlain, replace, type Template } from '../template.ts';

export const nullCheck: Template = {
  id: 'null-check',
  title: 'a missing check for an absent value',
  source:
    'PAR "Null Pointer Checker" (Kim et al. 2013); TBar FP2 "Insert Null Pointer Checker" (Liu et al. 2019); null dereference class of BugsJS (Gyimesi et al. 2019)',
  prior: 0.45,
  *propose({ node, language }) {
    if (node.parent === null || isTarget(node) || node.text.includes('\n')) return;
    yield* language.name === 'python' ? pythonChecks(node, language) : scriptChecks(node, language);
  },
};

/** Values that stand for an absent one, with the type of the place. */
const scriptValues = ['0', "''", '[]', '{}', 'null', 'undefined', 'false'];
const pythonValues = ['0', "''", '[]', '{}', '()'];

/** The object of a member or an index, the callee of a call, and what a loop runs over. */
function isUsed(node: Node, { types }: LanguageAdapter): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (types.member.has(parent.type) || types.index.has(parent.type))
    return parent.firstNamedChild?.id === node.id;
  return (
    /^(for_in_statement|for_statement|for_in_clause)$/.test(parent.type) &&
    parent.childForFieldName('right')?.id === node.id
  );
}

/** `x == null` is true for two values, `x === null` and `x === undefined` for one each. */
function* otherAbsent(node: Node): Iterable<EditProposal> {
  const found = /^([!=])==? (null|undefined)$/.exec(
    node.text.slice((node.firstNamedChild?.endIndex ?? 0) - node.startIndex).trim(),
  );
  if (node.type !== 'binary_expression' || node.firstNamedChild === null || found === null) return;
  const left = node.firstNamedChild.text;
  const [, sign] = found;
  for (const [i, other] of ['=== undefined', '=== null', '== null'].entries()) {
    const text = `${left} ${other.replace('=', sign ?? '=')}`;
    if (text !== node.text) yield replace(node, text, i < 2 ? 0.8 : 1);
  }
}

/** `a && typeof x.y === …` becomes `a && x.y != null && typeof x.y === …`. */
function* checkedFirst(node: Node): Iterable<EditProposal> {
  const { parent } = node;
  if (node.type !== 'binary_expression' || parent?.child(1)?.type !== '&&') return;
  const [left] = node.namedChildren;
  const value = left?.type === 'unary_expression' ? left.lastNamedChild : left;
  if (value?.type !== 'member_expression' || node.text.includes('&&')) return;
  const object = value.firstNamedChild?.text ?? '';
  for (const text of [value.text, object])
    if (/^[\w$]+\.[\w$.]+$/.test(text)) yield replace(node, `${text} != null && ${node.text}`, 0.7);
}

function* scriptChecks(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  yield* otherAbsent(node);
  yield* checkedFirst(node);
  const { types } = language;
  const [object] = node.namedChildren;
  const chained = node.children.some(c => c?.type === 'optional_chain');
  if (object && !chained && !/^(this|super)$/.test(object.text)) {
    const rest = node.text.slice(object.endIndex - node.startIndex);
    if (types.member.has(node.type) || types.index.has(node.type))
      yield replace(node, object.text + (rest.startsWith('.') ? `?${rest}` : `?.${rest}`), 0.8);
    if (node.type === 'call_expression' && !/^(require|import)$/.test(object.text))
      yield replace(node, `${object.text}?.${rest}`, 0.4);
  }
  if (!isPlain(node, language) || /^(require\(|new )/.test(node.text)) return;
  if (isUsed(node, language)) {
    for (const value of ['[]', '{}', "''"]) yield replace(node, `(${node.text} ?? ${value})`, 0.4);
    return;
  }
  if (!isRead(node)) return;
  const open = /^(binary_expression|unary_expression|await_expression)$/.test(
    node.parent?.type ?? '',
  );
  for (const value of scriptValues)
    yield replace(node, open ? `(${node.text} ?? ${value})` : `${node.text} ?? ${value}`, 0.3);
  for (const value of scriptValues.slice(0, 4))
    yield replace(node, open ? `(${node.text} || ${value})` : `${node.text} || ${value}`, 0.15);
}

function* pythonChecks(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  const [object, key, more] = node.namedChildren;
  if (node.type === 'subscript' && object && key && !more && key.type !== 'slice')
    for (const [value, weight] of [
      ['', 0.8],
      [', 0', 0.6],
      [', []', 0.4],
      [", ''", 0.4],
    ] as const)
      yield replace(node, `${object.text}.get(${key.text}${value})`, weight);
  if (!isPlain(node, language)) return;
  if (isUsed(node, language)) {
    for (const value of ["''", '[]', '{}', '()'])
      yield replace(node, `(${node.text} or ${value})`, 0.4);
    return;
  }
  if (!isRead(node)) return;
  const open = /^(binary_operator|comparison_operator|not_operator)$/.test(node.parent?.type ?? '');
  for (const value of pythonValues)
    yield replace(node, open ? `(${node.text} or ${value})` : `${node.text} or ${value}`, 0.3);
}

/** True where a value is read that could be absent. */
function isRead({ parent }: Node): boolean {
  return /^(arguments|argument_list|return_statement|assignment|assignment_expression|augmented_assignment_expression|augmented_assignment|variable_declarator|binary_expression|binary_operator|pair|arrow_function|spread_element|template_substitution|keyword_argument)$/.test(
    parent?.type ?? '',
  );
}
