/** Adds or removes an element of a list literal, or converts all of them. */
import { localVariables } from '../scope.ts';
import {
  type EditProposal,
  exchange,
  replace,
  replaceRange,
  type Site,
  type Template,
} from '../template.ts';

const literals = /^(array|list|tuple|set)$/;

export const element: Template = {
  id: 'element',
  title: 'an element of a list literal added, left out or converted',
  source:
    'TBar FP9 and FP10 over literals (Liu et al. 2019); collection literal changes of PySStuBs (Kamienski et al. 2021)',
  prior: 0.3,
  *propose(site) {
    const { node, language, names } = site;
    yield* subscripts(site);
    if (!literals.test(node.type)) return;
    const elements = node.namedChildren.filter(c => c !== null && c.type !== 'comment');
    const texts = elements.map(e => e.text);
    const inner: readonly [number, number] = [node.startIndex + 1, node.endIndex - 1];
    const comma = node.type === 'tuple' ? ',' : '';
    const write = (all: readonly string[], weight: number) =>
      replaceRange(inner, all.length === 1 ? `${all[0]}${comma}` : all.join(', '), weight);
    for (const text of texts.slice(0, 4))
      for (const more of [`${text} + 1`, `${text} - 1`]) yield write([...texts, more], 0.5);
    for (const { name } of localVariables(names(node)).slice(0, 8))
      if (!texts.includes(name))
        yield* [write([...texts, name], 0.4), write([name, ...texts], 0.4)];
    for (const more of ['0', '1']) yield write([...texts, more], 0.2);
    if (texts.length > 1)
      for (const i of texts.keys())
        yield write(
          texts.filter((_, j) => j !== i),
          0.3,
        );
    if (texts.length === 2) yield write([...texts].reverse(), 0.6);
    if (texts.length > 1) yield* convertElements(site, texts);
    if (language.name === 'script' && texts.length > 0)
      yield replace(node, `[...${texts[0]}]`, 0.05);
  },
};

/** Exchanges or leaves out the parts of `grid[x, y]`, `return a, b`, `a, b = c` and `[a, b] = c`. */
function* subscripts({ node }: Site): Iterable<EditProposal> {
  const isSubscript = node.type === 'subscript' && node.namedChildCount > 2;
  if (!isSubscript && !/^(expression_list|pattern_list|array_pattern)$/.test(node.type)) return;
  const parts = node.namedChildren.filter(c => c !== null).slice(isSubscript ? 1 : 0);
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    if (next && next.text !== part.text) yield exchange(part, next, 1);
    const before = parts[i - 1];
    if (isSubscript && before)
      yield replaceRange([before.startIndex, part.endIndex], part.text, 0.3);
    if (isSubscript && next) yield replaceRange([part.startIndex, next.endIndex], part.text, 0.3);
  }
}

/** Adds the same conversion around every element. */
function* convertElements(
  { node, language }: Site,
  texts: readonly string[],
): Iterable<EditProposal> {
  const [open, close] = [node.text[0] ?? '[', node.text.at(-1) ?? ']'];
  for (const name of language.conversions)
    yield replace(node, `${open}${texts.map(t => `${name}(${t})`).join(', ')}${close}`, 0.4);
}
