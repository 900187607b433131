/** Changes an assignment: adds instead of replacing or the reverse, or assigns to another target or another value. */
import type { Node } from 'web-tree-sitter';
import { type LanguageAdapter, nodeTypes } from '../../languages/language.ts';
import { localVariables } from '../scope.ts';
import {
  type EditProposal,
  insertAt,
  replace,
  replaceRange,
  type Site,
  type Template,
} from '../template.ts';

/** Nodes that assign a value. */
const assignments = nodeTypes(
  'assignment assignment_expression augmented_assignment augmented_assignment_expression variable_declarator',
);

export const assignment: Template = {
  id: 'assignment',
  title: 'another assignment',
  source:
    '"Change Operand" and "Change Operator" of ManySStuBs4J (Karampatsis, Sutton 2020); TBar FP14 (Liu et al. 2019)',
  prior: 0.35,
  *propose({ node, language, names }) {
    const parts = findSides(node);
    if (parts === undefined) return;
    const { left, right } = parts;
    if (language.name === 'script' && isUndeclared(node, left, names))
      yield insertAt(node.startIndex, 'let ');
    const between: readonly [number, number] = [left.endIndex, right.startIndex];
    if (/^augmented/.test(node.type)) yield replaceRange(between, ' = ', 1);
    else if (
      /^(identifier|subscript|subscript_expression|attribute|member_expression)$/.test(left.type) &&
      node.type !== 'variable_declarator'
    ) {
      for (const operator of ['+=', '-=', '*=']) yield replaceRange(between, ` ${operator} `, 0.8);
      yield* bounded(left, right, language);
    }
    if (/^(binary|augmented)/.test(right.type) || /^augmented/.test(node.type)) return;
    for (const { name } of localVariables(names(node)).slice(0, 8))
      for (const operator of ['+', '-', '*'])
        if (name !== right.text) yield replace(right, `${grouped(right)} ${operator} ${name}`, 0.3);
  },
};

/** True for a statement that assigns to a name that nothing declares: an error in strict code. */
function isUndeclared(node: Node, left: Node, names: Site['names']): boolean {
  const { parent } = node;
  const isStatement =
    parent?.type === 'expression_statement' &&
    /^(program|statement_block)$/.test(parent.parent?.type ?? '');
  return isStatement && left.type === 'identifier' && !names(node).some(n => n.name === left.text);
}

const grouped = (node: Node) =>
  /^(ternary|conditional|arrow|lambda)/.test(node.type) ? `(${node.text})` : node.text;

function findSides(node: Node): { left: Node; right: Node } | undefined {
  if (!assignments.has(node.type)) return undefined;
  const left = node.childForFieldName('left') ?? node.childForFieldName('name');
  const right = node.childForFieldName('right') ?? node.childForFieldName('value');
  return left === null || right === null ? undefined : { left, right };
}

/** `best = value` becomes `best = max(best, value)`. */
function* bounded(left: Node, right: Node, { name }: LanguageAdapter): Iterable<EditProposal> {
  const prefix = name === 'python' ? '' : 'Math.';
  if (/^(list|array|dictionary|object|string)$/.test(right.type)) return;
  for (const which of ['max', 'min'])
    yield replace(right, `${prefix}${which}(${left.text}, ${right.text})`, 0.4);
}
