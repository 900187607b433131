/** Exchanges a check for a true value and a check for a value that is there, where `0`, an empty text or an inherited key matters. */
import type { Node } from 'web-tree-sitter';
import { getCall, type LanguageAdapter } from '../../languages/language.ts';
import { type EditProposal, insertAt, isPlain, replace, type Template } from '../template.ts';

export const presence: Template = {
  id: 'presence',
  title: 'a check for a value that is there, in place of a true one',
  source:
    'TBar FP2 and FP6 (Liu et al. 2019); "Change Unary Operator" and "Less Specific If" of ManySStuBs4J (Karampatsis, Sutton 2020); implicit conversions of BugsJS (Gyimesi et al. 2019)',
  prior: 0.5,
  *propose({ node, language, hints }) {
    yield* language.name === 'python' ? orNone(node, language) : ownKeys(node, language);
    if (hints.texts.includes('__proto__')) yield* safeKey(node, language);
    if (!isDecided(node, language)) return;
    yield* language.name === 'python' ? pythonChecks(node, language) : scriptChecks(node, language);
  },
};

const joins = /^(&&|\|\||and|or)$/;

/** True for a condition, what it negates, and the operands of its connectives. */
function isDecided(node: Node, language: LanguageAdapter): boolean {
  const { parent } = node;
  if (parent === null || node.text.includes('\n')) return false;
  const around = parent.type === 'parenthesized_expression' ? (parent.parent ?? parent) : parent;
  return (
    language.getCondition(around)?.id === node.id ||
    parent.type === 'not_operator' ||
    parent.child(0)?.type === '!' ||
    joins.test(parent.child(1)?.type ?? '')
  );
}

/** The node that a check replaces, and whether the check is turned over: `!x` is replaced as a whole. */
function negated(node: Node): { readonly whole: Node; readonly not: boolean } {
  const { parent } = node;
  const not = parent?.type === 'not_operator' || parent?.child(0)?.type === '!';
  return not && parent !== null ? { whole: parent, not } : { whole: node, not: false };
}

/** The object and the key of `object[key]`, also behind `?.`. */
const indexParts = (node: Node | undefined) => [
  node?.childForFieldName('object'),
  node?.childForFieldName('index'),
];

function* scriptChecks(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  const { whole, not } = negated(node);
  const [object, key] = indexParts(node);
  if (language.types.index.has(node.type) && object && key) {
    const sign = not ? '!' : '';
    yield replace(whole, `${sign}Object.hasOwn(${object.text}, ${key.text})`, 0.8);
    yield replace(
      whole,
      not ? `!(${key.text} in ${object.text})` : `${key.text} in ${object.text}`,
    );
  }
  if (isPlain(node, language))
    for (const [value, weight] of [
      ['== undefined', 0.9],
      ['== null', 0.9],
      ['== false', 0.4],
      ['== true', 0.3],
    ] as const) {
      const strict = value === '== null' ? '' : '=';
      yield replace(whole, `${node.text} ${not ? '=' : '!'}=${strict}${value.slice(2)}`, weight);
    }
  if (node.type !== 'binary_expression') return;
  const [left, right] = node.namedChildren;
  const operator = node.child(1)?.type;
  if (!left || !right) return;
  if (operator === 'in') yield replace(node, `Object.hasOwn(${right.text}, ${left.text})`);
  // `typeof null` is 'object'
  if (left.text.startsWith('typeof ') && right.text.slice(1, -1) === 'object') {
    const value = left.lastNamedChild?.text ?? '';
    yield replace(node, `${value} !== null && ${node.text}`);
    yield replace(node, `${value} && ${node.text}`, 0.8);
  }
  // NaN and Infinity are numbers, too
  if (left.text.startsWith('typeof ') && right.text.slice(1, -1) === 'number') {
    const not = operator?.startsWith('!') ? '!' : '';
    for (const check of ['Number.isFinite', 'Number.isInteger'])
      yield replace(node, `${not}${check}(${left.lastNamedChild?.text})`, 0.7);
  }
  if (/^[!=]==?$/.test(operator ?? '') && /^(null|undefined)$/.test(right.text))
    yield replace(node, operator?.startsWith('!') ? left.text : `!${left.text}`, 0.5);
}

function* pythonChecks(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  const { whole, not } = negated(node);
  const word = not ? 'not in' : 'in';
  if (isPlain(node, language)) {
    yield replace(whole, `${node.text} is ${not ? '' : 'not '}None`);
    const call = getCall(node);
    const getter = call?.callee.childForFieldName('attribute')?.text === 'get';
    const object = call?.callee.childForFieldName('object')?.text;
    if (getter && object !== undefined && call?.args[0] !== undefined)
      yield replace(whole, `${call.args[0].text} ${word} ${object}`);
  }
  const [left, right] = node.namedChildren;
  if (node.type === 'comparison_operator' && left && right?.text === 'None')
    yield replace(node, /\bnot\b|!=/.test(node.text) ? left.text : `not ${left.text}`, 0.5);
}

/** `a or b` takes `b` for an empty `a`, too; so does a check in front of `a`. */
function* orNone(node: Node, { getCondition }: LanguageAdapter): Iterable<EditProposal> {
  if (node.type !== 'boolean_operator' || node.child(1)?.type !== 'or') return;
  const [left, right] = node.namedChildren;
  if (!left || !right || getCondition(node.parent ?? node)?.id === node.id) return;
  yield replace(node, `${left.text} if ${left.text} is not None else ${right.text}`);
}

/** Writes to any key but the one that changes the prototype, which the tests name: `if (key !== '__proto__') object[key] = value`. */
function* safeKey(node: Node, { types }: LanguageAdapter): Iterable<EditProposal> {
  const assigned = node.type === 'expression_statement' ? node.firstNamedChild : null;
  const target =
    assigned?.type === 'assignment_expression' ? assigned.childForFieldName('left') : null;
  const [, key] = indexParts(target ?? undefined);
  // without a block around it, a branch that follows would belong to the new condition
  if (!types.block.has(node.parent?.type ?? '')) return;
  if (target && types.index.has(target.type) && key && types.name.has(key.type))
    yield replace(node, `if (${key.text} !== '__proto__') ${node.text}`);
}

/** An object finds `constructor` in its prototype, too: an object without one, or a check for an own key. */
function* ownKeys(node: Node, { types }: LanguageAdapter): Iterable<EditProposal> {
  if (node.type === 'object') {
    const first = node.firstNamedChild;
    if (first?.type === 'pair' && !first.text.startsWith('__proto__'))
      yield insertAt(first.startIndex, '__proto__: null, ', 0.4);
  }
  const [left, right] = node.namedChildren;
  const operator = node.child(1)?.type ?? '';
  if (node.type !== 'binary_expression' || !/^(\|\||\?\?)$/.test(operator)) return;
  const [object, key] = indexParts(left);
  if (!left || !right || !types.index.has(left.type) || !object || !key) return;
  const check = `Object.hasOwn(${object.text}, ${key.text})`;
  yield replace(node, `(${check} ? ${left.text} : ${right.text})`, 0.6);
}
