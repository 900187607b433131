/** The operators of mutation testing: the templates that change a value or a decision in place, and those that no search for a repair uses. */
import type { Node } from 'web-tree-sitter';
import { localVariables } from '../candidates/scope.ts';
import {
  type EditProposal,
  exchange,
  replace,
  replaceRange,
  type Site,
  type Template,
} from '../candidates/template.ts';
import { callName } from '../candidates/templates/call-name.ts';
import { negation } from '../candidates/templates/negation.ts';
import { offByOne } from '../candidates/templates/off-by-one.ts';
import { arithmetic, comparison, connective } from '../candidates/templates/operators.ts';
import { variable } from '../candidates/templates/variable.ts';
import { getCall } from '../languages/language.ts';

const survey = 'mutation operators (Jia, Harman 2011)';

const constant: Template = {
  id: 'constant',
  title: 'another constant',
  source: survey,
  prior: 0.6,
  *propose({ node, language: { tokens, types } }) {
    const { text, type } = node;
    const isEmpty = /^(?:array|list|object|dictionary|string)$/.test(type) && text.length === 2;
    const isNothing = /^(?:null|none|undefined)$/.test(type) || text === 'undefined';
    const others = new Set<string>();
    if (types.number.has(type))
      for (const value of ['0', '1', '2', '-1', `${text}0`, `-${text}`]) others.add(value);
    if (text === tokens.yes) others.add(tokens.no);
    if (text === tokens.no) others.add(tokens.yes);
    if (isEmpty || isNothing)
      for (const value of ['[]', '{}', "''", '0', tokens.no, tokens.nothing]) others.add(value);
    others.delete(text);
    for (const value of others) yield replace(node, value, 0.5);
  },
};

const holders = /^(?:binary_expression|binary_operator|comparison_operator|boolean_operator)$/;
const joins = /^(?:[-+*/%&|^]|\/\/|\*\*|<<|>>|&&|\|\||and|or)$/;
const symmetric = /^(?:\*|===?|!==?|&&|\|\||and|or)$/;

const operand: Template = {
  id: 'operand',
  title: 'operands exchanged, grouped otherwise or left out',
  source: survey,
  prior: 0.4,
  *propose({ node }) {
    const [left, sign, right] = node.children;
    if (!holders.test(node.type) || node.childCount !== 3 || !left || !sign || !right) return;
    const operator = sign.type;
    if (!symmetric.test(operator) && left.text !== right.text) yield exchange(left, right);
    const [one, other] = [partsOf(left), partsOf(right)];
    if (one !== undefined)
      yield replace(node, `${one[0]} ${one[1]} (${one[2]} ${operator} ${right.text})`);
    if (other !== undefined)
      yield replace(node, `(${left.text} ${operator} ${other[0]}) ${other[1]} ${other[2]}`);
    if (joins.test(operator))
      yield* [replace(node, left.text, 0.4), replace(node, right.text, 0.4)];
  },
};

/** Both sides of an operation and the operator between them; undefined for another node. */
const partsOf = ({ type, children }: Node) =>
  holders.test(type) && children.length === 3 ? children.map(c => c?.text ?? '') : undefined;

const returnValue: Template = {
  id: 'return-value',
  title: 'another value returned',
  source: survey,
  prior: 0.4,
  *propose({ node, language: { tokens, types, name: language }, names }) {
    const value = node.type === types.return ? node.firstNamedChild : null;
    if (value === null) return;
    for (const { name } of localVariables(names(node)))
      if (name !== value.text) yield replace(value, name, 0.7);
    const empty = language === 'script' ? ['[]', "''", '{}', 'undefined'] : ['[]', "''", '{}'];
    for (const text of [tokens.yes, tokens.no, tokens.nothing, '0', '1', '-1', ...empty])
      if (text !== value.text) yield replace(value, text, 0.3);
    yield replace(value, `[${value.text}]`, 0.2);
  },
};

const unwrapCall: Template = {
  id: 'unwrap-call',
  title: 'a call or conversion left out',
  source: survey,
  prior: 0.3,
  *propose({ node, language: { types, memberFields } }) {
    const call = getCall(node);
    if (call === undefined || node.parent?.type === 'expression_statement') return;
    const object = types.member.has(call.callee.type)
      ? call.callee.childForFieldName(memberFields[0])
      : null;
    for (const part of [object, ...call.args])
      if (part !== null) yield replace(node, part.text, 1 / (1 + call.args.length));
  },
};

const slice: Template = {
  id: 'slice',
  title: 'other bounds of a slice',
  source: survey,
  prior: 0.5,
  *propose(site) {
    yield* site.node.type === 'slice' ? pythonBounds(site) : callBounds(site);
  },
};

/** Leaves a bound of `list[from:to]` out, adds one, or moves it. */
function* pythonBounds({ node }: Site): Iterable<EditProposal> {
  const [from = '', to = '', ...step] = node.text.split(':').map(part => part.trim());
  const write = (a: string, b: string) => replace(node, [a, b, ...step].join(':'));
  yield* from === '' ? [write('1', to)] : [write('', to), write(`${from} + 1`, to)];
  yield* to === '' ? [write(from, '-1')] : [write(from, ''), write(from, `${to} - 1`)];
}

const cutting = /\.(slice|substring|substr|splice|subarray)$/;

/** The same for `list.slice(from, to)`. */
function* callBounds({ node }: Site): Iterable<EditProposal> {
  const call = getCall(node);
  if (call === undefined || !cutting.test(call.callee.text)) return;
  const [from = '0', ...others] = call.args.map(a => a.text);
  const write = (...args: readonly string[]) =>
    replaceRange([call.list.startIndex + 1, call.list.endIndex - 1], args.join(', '));
  yield write(`${from} + 1`, ...others);
  const [to, ...more] = others;
  if (to === undefined) yield write(from, '-1');
  else yield* [write(from), write('0', to, ...more), write(from, `${to} - 1`, ...more)];
}

/** In the order in which changes of the same likelihood are tried. */
export const operators: readonly Template[] = [
  comparison,
  offByOne,
  connective,
  arithmetic,
  negation,
  constant,
  variable,
  callName,
  operand,
  returnValue,
  unwrapCall,
  slice,
];
