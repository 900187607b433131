/** Returns another value: a name, a constant or a boolean; or adds a missing return. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import { predicatesFor } from '../predicates.ts';
import { functionAround, localVariables } from '../scope.ts';
import { type EditProposal, replace, replaceRange, type Template } from '../template.ts';

export const returnValue: Template = {
  id: 'return-value',
  title: 'another value returned',
  source:
    'TBar FP12 "Mutate Return Statement" (Liu et al. 2019); Kali return edits (Qi et al. 2015)',
  prior: 0.4,
  *propose({ node, language, names, ingredients, ...rest }) {
    const { tokens, types } = language;
    if (node.type === 'expression_statement' && isLast(node, language)) {
      yield replace(node, `return ${node.text}`, 1);
      return;
    }
    const isCall = types.call.has(node.firstNamedChild?.type ?? '');
    if (node.type === 'expression_statement' && isCall && node.nextNamedSibling === null)
      yield replace(node, `return ${node.text}`, 0.5);
    if (node.type !== types.return) return;
    const value = node.firstNamedChild;
    if (value === null) {
      yield* joined(node);
      return;
    }
    const usable = localVariables(names(node));
    for (const { name } of usable) if (name !== value.text) yield replace(value, name, 0.7);
    for (const { name } of usable.slice(0, 6)) {
      if (name === value.text) continue;
      for (const operator of ['+', '-', '*'])
        yield replace(value, `${value.text} ${operator} ${name}`, 0.15);
      yield replace(value, `${name}[${value.text}]`, 0.1);
    }
    const isWhole = /^(tuple|list|array|object|dictionary)$/.test(value.type);
    const single = language.name === 'python' ? ['(x,)', '[x]'] : ['[x]'];
    if (!isWhole)
      for (const text of single)
        yield replace(
          value,
          text.replace('x', () => value.text),
          0.4,
        );
    const empty = language.name === 'python' ? ['[]', "''", '{}'] : ['[]', "''", '{}', 'undefined'];
    for (const text of [tokens.yes, tokens.no, tokens.nothing, '0', '1', '-1', ...empty])
      if (text !== value.text) yield { ...replace(value, text, 0.3), ...fixed(value, language) };
    const predicates = isFixed(value.text, language)
      ? predicatesFor(node, { node, language, names, ingredients, ...rest })
      : [];
    for (const { text, weight, risk } of predicates) {
      if ([tokens.yes, tokens.no].includes(value.text))
        yield { ...replace(value, text, weight * 0.5), risk };
      else
        for (const { name } of usable.slice(0, 4)) {
          const chosen = either(language, { predicate: text, yes: name, no: value.text });
          yield { ...replace(value, chosen, weight * 0.15), risk };
        }
    }
    const around = functionAround(node, language);
    for (const piece of ingredients.expressions)
      if (around !== undefined && inside(piece.line, around) && piece.text !== value.text)
        yield replace(value, piece.text, 0.2);
  },
};

/** `return` on a line of its own, in front of the value: the language ends the statement there. */
function* joined(node: Node): Iterable<EditProposal> {
  const next = node.nextNamedSibling;
  if (next?.type === 'expression_statement')
    yield replaceRange([node.startIndex, next.endIndex], `return ${next.text}`, 1);
}

const isFixed = (text: string, { tokens }: LanguageAdapter) =>
  [tokens.yes, tokens.no, tokens.nothing, '0', '-1', "''"].includes(text);

const either = (
  { name }: LanguageAdapter,
  { predicate, yes, no }: { predicate: string; yes: string; no: string },
) => (name === 'python' ? `${yes} if ${predicate} else ${no}` : `${predicate} ? ${yes} : ${no}`);

/** A risk if a constant replaces a computed value. */
function fixed(value: Node, { types, tokens }: LanguageAdapter) {
  const computed =
    types.binary.has(value.type) || types.call.has(value.type) || types.name.has(value.type);
  return computed && ![tokens.yes, tokens.no].includes(value.text)
    ? { risk: 'it returns a constant instead of a computed value' }
    : {};
}

const inside = (line: number, node: Node) =>
  line > node.startPosition.row && line <= node.endPosition.row + 1;

/** True for the last statement of a function that does not return. */
function isLast(node: Node, language: LanguageAdapter): boolean {
  const block = node.parent;
  if (
    block === null ||
    node.nextNamedSibling !== null ||
    /assignment|update|yield|string/.test(node.firstNamedChild?.type ?? '')
  )
    return false;
  return block.parent !== null && language.types.function.has(block.parent.type);
}
