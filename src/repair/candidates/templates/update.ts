/** Adds a small missing statement: a counter, a start value, an element added to a list. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import { localVariables } from '../scope.ts';
import { functionOfStatement, insertBeside, type Site, type Template } from '../template.ts';

export const update: Template = {
  id: 'update',
  title: 'a missing assignment, count or addition to a list',
  source:
    'missing assignment and missing update of the orthogonal defect classes (Durães, Madeira 2006); statement synthesis of SPR "initialize" (Long, Rinard 2015); missing base case of QuixBugs (Lin et al. 2017)',
  prior: 0.16,
  *propose(site) {
    const { node, language } = site;
    const around = functionOfStatement(node, language);
    if (around === undefined) return;
    for (const { text, weight } of statementsFor(site, around.text))
      yield* insertBeside(node, text, weight);
  },
};

const maxNames = 8;

/** Statements over the names that the function assigns or fills. */
function statementsFor({ node, language, names, ingredients }: Site, around: string) {
  const { end } = language.tokens;
  const inCase = /^switch_(case|default)$/.test(node.parent?.type ?? '');
  const leaves = insideLoop(node, language) ? ['break', 'continue'] : inCase ? ['break'] : [];
  // what the function counts comes first
  const near = localVariables(names(node))
    .map(n => ({ name: n.name, counted: isCounted(n.name, around) }))
    .sort((a, b) => Number(b.counted) - Number(a.counted))
    .map(n => n.name)
    .slice(0, maxNames);
  const lists = near.filter(n => ingredients.lists.has(n));
  const plain = near.filter(n => !ingredients.lists.has(n));
  const grown = [...ingredients.members].flatMap(([object, members]) =>
    members
      .filter(m => /^(push|append|add|appendleft|unshift|set)$/.test(m) && object !== '')
      .map(m => [object, m] as const),
  );
  return [
    ...leaves.map(text => ({ text: text + end, weight: 0.7 })),
    ...near.slice(0, 4).map(n => ({ text: `return ${n}${end}`, weight: 0.3 })),
    ...plain.flatMap(n =>
      [`${n} -= 1`, `${n} += 1`].map(text => ({ text: text + end, weight: 0.6 })),
    ),
    ...plain.flatMap(n => starts(language).map(v => ({ text: `${n} = ${v}${end}`, weight: 0.5 }))),
    ...lists.flatMap(n =>
      ['0', '1']
        .flatMap(v => [`${n}[0] = ${v}`, `${n}[${v}] = 1`])
        .map(text => ({ text: text + end, weight: 0.5 })),
    ),
    ...plain.flatMap(a =>
      plain.filter(b => b !== a).map(b => ({ text: `${a} = ${b}${end}`, weight: 0.4 })),
    ),
    ...grown.flatMap(([object, member]) =>
      near
        .filter(n => n !== object)
        .map(n => ({ text: `${object}.${member}(${n})${end}`, weight: 0.8 })),
    ),
  ].filter(({ text }, i, all) => all.findIndex(o => o.text === text) === i);
}

/** True for a name that a text counts up or down. */
function isCounted(name: string, text: string): boolean {
  const word = name.replaceAll('$', '\\$');
  return new RegExp(`(?<![\\w$.])${word}(?:\\+\\+|--| [+-]= )|(?:\\+\\+|--)${word}(?![\\w$])`).test(
    text,
  );
}

function insideLoop(node: Node, { types }: LanguageAdapter): boolean {
  for (let at = node.parent; at !== null && !types.function.has(at.type); at = at.parent)
    if (types.loop.has(at.type)) return true;
  return false;
}

const starts = ({ name, tokens }: LanguageAdapter) => [
  '0',
  '1',
  "''",
  '[]',
  tokens.no,
  name === 'python' ? 'None' : 'null',
];
