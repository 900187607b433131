/** Swaps, regroups or removes operands. */
import type { Node } from 'web-tree-sitter';
import { nodeTypes } from '../../languages/language.ts';
import { localVariables } from '../scope.ts';
import { type EditProposal, exchange, replace, type Site, type Template } from '../template.ts';

const holders = /^(binary_expression|binary_operator|comparison_operator|boolean_operator)$/;
const sums = /^(\+|-|\*|\/|\/\/|%|\*\*|<<|>>|&|\||\^)$/;

export const operand: Template = {
  id: 'operand',
  title: 'operands exchanged or grouped otherwise',
  source:
    '"Change Operand" of ManySStuBs4J (Karampatsis, Sutton 2020); TBar FP11 (Liu et al. 2019); operator precedence of PyTER and BugsInPy studies (Widyasari et al. 2020)',
  prior: 0.4,
  *propose(site) {
    const { node } = site;
    yield* combined(site);
    yield* withSibling(site);
    yield* pulled(node);
    if (!holders.test(node.type)) return;
    const left = node.childForFieldName('left') ?? node.firstNamedChild;
    const right = node.childForFieldName('right') ?? node.lastNamedChild;
    const operator = node.child(1)?.type ?? '';
    if (left === null || right === null || left.id === right.id) return;
    if (!/^(\*|===?|!==?|&&|\|\||and|or)$/.test(operator) && left.text !== right.text)
      yield exchange(left, right, 1);
    yield* regrouped(node, { left, right, operator });
    if (!sums.test(operator)) return;
    yield* missing(site);
    yield replace(node, left.text, 0.4);
    yield replace(node, right.text, 0.4);
  },
};

/** Adds an operand: a name of the function, or its length. */
function* missing({ node, language, names, ingredients }: Site): Iterable<EditProposal> {
  if (
    /^(binary_expression|binary_operator)$/.test(node.parent?.type ?? '') &&
    sums.test(node.parent?.child(1)?.type ?? '')
  )
    return;
  for (const { name } of localVariables(names(node))) {
    const text = ingredients.lists.has(name) ? language.lengthOf(name) : name;
    yield* ['-', '+', '%'].map(o => replace(node, `${node.text} ${o} ${text}`, 0.5));
  }
}

const maxSiblings = 12;

/** Adds another member of the same object: `a.x` becomes `a.x + a.y`. */
function* withSibling({ node, language, ingredients }: Site): Iterable<EditProposal> {
  const { types, memberFields } = language;
  const { parent } = node;
  if (!types.member.has(node.type) || parent === null) return;
  if (!/^(list|array|arguments|argument_list|return_statement)$/.test(parent.type)) return;
  const object = node.childForFieldName(memberFields[0])?.text ?? '';
  const own = node.childForFieldName(memberFields[1])?.text ?? '';
  const others = (ingredients.members.get(object) ?? []).filter(m => m !== own);
  for (const other of others.slice(0, maxSiblings))
    yield replace(node, `${node.text} + ${object}.${other}`, 0.4);
}

const valued = nodeTypes(
  'arguments argument_list subscript subscript_expression comparison_operator binary_expression binary_operator slice',
);

/** Replaces a name with its sum, remainder or square. */
function* combined({ node, language, names, ingredients }: Site): Iterable<EditProposal> {
  const { parent } = node;
  if (!language.types.name.has(node.type) || parent === null || !valued.has(parent.type)) return;
  if (language.types.index.has(parent.type) && parent.firstNamedChild?.id === node.id) return;
  const around = holders.test(parent.type) && sums.test(parent.child(1)?.type ?? '');
  const write = (text: string, weight: number) =>
    replace(node, around ? `(${text})` : text, weight);
  const isIndex = /^(subscript|subscript_expression|slice)$/.test(parent.type);
  for (const { name } of localVariables(names(node).slice(0, 10))) {
    if (name === node.text) continue;
    const other = ingredients.lists.has(name) ? language.lengthOf(name) : name;
    if (isIndex) yield write(`${node.text} % ${other}`, 0.4);
    // a list and a number have no sum
    if (ingredients.lists.has(node.text) || around) continue;
    for (const operator of ['-', '+', '%'])
      yield write(`${node.text} ${operator} ${other}`, operator === '%' ? 0.15 : 0.3);
  }
  if (!ingredients.lists.has(node.text)) yield write(`${node.text} * ${node.text}`, 0.15);
}

/** `not a in b`, `!a.b` and `await a.b` apply to another part: `(not a) in b`, `!(a && b)`, `(await a).b`. */
function* pulled(node: Node): Iterable<EditProposal> {
  const { parent } = node;
  const unary = /^(unary_expression|not_operator|unary_operator|await_expression)$/;
  if (unary.test(node.type) && parent !== null && holders.test(parent.type)) {
    const [word, inner] = [node.child(0), node.lastNamedChild];
    if (word !== null && inner !== null && parent.firstNamedChild?.id === node.id) {
      const rest = parent.text.slice(node.endIndex - parent.startIndex);
      const blank = /\w$/.test(word.text) ? ' ' : '';
      yield replace(parent, `${word.text}${blank}(${inner.text}${rest})`, 0.8);
    }
  }
  // `a + b ? c : d` becomes `a + (b ? c : d)`
  if (!/^(ternary_expression|conditional_expression)$/.test(node.type)) return;
  const first = node.firstNamedChild;
  const last = node.lastNamedChild;
  for (const [side, isFirst] of [
    [first, true],
    [last, false],
  ] as const) {
    if (side === null || !holders.test(side.type) || side.childCount !== 3) continue;
    const [one, operator, other] = [side.child(0), side.child(1)?.text, side.child(2)];
    if (one === null || other === null) continue;
    const behind = node.text.slice(side.endIndex - node.startIndex);
    const front = node.text.slice(0, side.startIndex - node.startIndex);
    yield isFirst
      ? replace(node, `${one.text} ${operator} (${other.text}${behind})`, 0.8)
      : replace(node, `(${front}${one.text}) ${operator} ${other.text}`, 0.5);
  }
}

interface Parts {
  readonly left: Node;
  readonly right: Node;
  readonly operator: string;
}

/** `a + b / c` becomes `(a + b) / c`, and the reverse. */
function* regrouped(node: Node, { left, right, operator }: Parts): Iterable<EditProposal> {
  if (holders.test(left.type) && left.childCount === 3)
    yield replace(
      node,
      `${left.child(0)?.text} ${left.child(1)?.text} (${left.child(2)?.text} ${operator} ${right.text})`,
      1,
    );
  if (holders.test(right.type) && right.childCount === 3)
    yield replace(
      node,
      `(${left.text} ${operator} ${right.child(0)?.text}) ${right.child(1)?.text} ${right.child(2)?.text}`,
      1,
    );
  for (const side of [left, right])
    if (side.type === 'parenthesized_expression' && side.firstNamedChild !== null)
      yield replace(side, side.firstNamedChild.text, 0.6);
}
