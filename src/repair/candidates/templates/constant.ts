/** Replaces a constant with a common one, or with another one of the file. */
import type { Node } from 'web-tree-sitter';
import { localVariables } from '../scope.ts';
import { replace, type Site, type Template } from '../template.ts';

const common = ['0', '1', '2', '-1', '10', '100', '60', '7', '12', '24', '1000', '365'];

export const constant: Template = {
  id: 'constant',
  title: 'another constant',
  source:
    '"Change Numeral", "Change Boolean Literal" of ManySStuBs4J (Karampatsis, Sutton 2020); TBar FP9 (Liu et al. 2019); value replacement (Jeffrey et al. 2008)',
  prior: 0.6,
  *propose(site) {
    const { node, language, ingredients } = site;
    const { tokens, types } = language;
    if (types.number.has(node.type)) {
      yield* numbersFor(node, ingredients.numbers).map(([text, weight]) =>
        replace(node, text, weight),
      );
      const infinite =
        /^(assignment|variable_declarator|assignment_expression|arguments|argument_list)$/.test(
          node.parent?.type ?? '',
        );
      if (infinite) yield* [tokens.infinity, tokens.minusInfinity].map(t => replace(node, t, 0.5));
      if (infinite) yield* namesFor(site);
    }
    const opposites = [
      [tokens.infinity, tokens.minusInfinity, '0'],
      [tokens.minusInfinity, tokens.infinity, '0'],
      [tokens.yes, tokens.no],
      [tokens.no, tokens.yes],
    ];
    for (const [own, ...others] of opposites)
      if (node.text === own) yield* others.map(t => replace(node, t));
    if (/^(array|list|object|dictionary|string)$/.test(node.type) && node.namedChildCount === 0)
      yield* emptyOnes(language.name)
        .filter(t => t !== node.text)
        .map(t => replace(node, t, 0.4));
    if (/^(null|none|undefined)$/.test(node.type) || node.text === 'undefined')
      yield* [...emptyOnes(language.name), '0', tokens.no, tokens.nothing]
        .filter(t => t !== node.text)
        .map(t => replace(node, t, 0.3));
  },
};

const emptyOnes = (language: string) =>
  language === 'python'
    ? ['[]', '{}', "''", 'set()', 'None', '[[]]']
    : ['[]', '{}', "''", 'undefined', 'null', '[[]]'];

/** Numbers that are easily confused with this one: ten times, a tenth, twice, half, one digit different. */
function numbersFor(node: Node, own: readonly string[]): readonly (readonly [string, number])[] {
  const value = Number(node.text);
  const near = Number.isFinite(value)
    ? [...[10, 2, 1000, 60].flatMap(by => [value * by, value / by]), -value]
        .filter(n => Number.isInteger(n) || /\./.test(node.text))
        .map(n => String(n))
    : [];
  const swapped = /^\d{2,6}$/.test(node.text) ? varyDigits(node.text) : [];
  const all: (readonly [string, number])[] = [
    ...own.map(t => [t, 0.7] as const),
    ...common.map(t => [t, /^(0|1|2|-1)$/.test(t) ? 0.8 : 0.4] as const),
    ...near.map(t => [t, 0.4] as const),
    ...swapped.map(t => [t, 0.1] as const),
  ];
  const seen = new Set([node.text]);
  return all.filter(([t]) => !seen.has(t) && !/e/.test(t) && seen.add(t));
}

/** All numbers that differ by one in one digit. */
function varyDigits(text: string): readonly string[] {
  return [...text].flatMap((digit, i) =>
    [Number(digit) + 1, Number(digit) - 1]
      .filter(d => d >= 0 && d <= 9 && !(i === 0 && d === 0))
      .map(d => text.slice(0, i) + d + text.slice(i + 1)),
  );
}

/** Replaces a start value with a name of the function: `best = items[0]`, `count = n`. */
function* namesFor({ node, language, names, ingredients }: Site) {
  for (const { name } of localVariables(names(node).slice(0, 12))) {
    yield replace(node, name, 0.3);
    if (ingredients.lists.has(name)) {
      yield replace(node, `${name}[0]`, 0.4);
      yield replace(node, language.lengthOf(name), 0.3);
      yield replace(node, `${language.lengthOf(name)} - 1`, 0.3);
    }
  }
}
