/** Changes a text or a pattern: another text of the file, a separator, an empty text; a regular expression or a format. */
import { formatVariants, patternVariants } from '../pattern-variants.ts';
import { type EditProposal, replace, type Site, splitLiteral, type Template } from '../template.ts';
import { likeness } from '../test-hints.ts';

const separators = ['', ' ', ',', ', ', '-', '_', '/', '.', ':', '0', '\\n'];
const maxVariants = 80;
const maxShort = 30;

export const otherText: Template = {
  id: 'text',
  title: 'another text or pattern',
  source:
    'TBar FP9 "Mutate Literal Expression" (Liu et al. 2019); string literal changes of ManySStuBs4J-like studies in Python (PySStuBs, Kamienski et al. 2021); pattern repair (Pan et al. 2016)',
  prior: 0.3,
  *propose(site) {
    const { node } = site;
    if (node.type === 'regex') yield* patterns(site);
    yield* texts(site);
    if (node.type === 'format_specifier')
      for (const other of formatVariants(node.text)) yield replace(node, other, 0.8);
    if (/^(string_fragment|string_content)$/.test(node.type) && node.parent?.namedChildCount !== 1)
      yield* parts(site);
  },
};

/** Other texts for a whole literal. */
function* texts({ node, ingredients }: Site): Iterable<EditProposal> {
  const literal = splitLiteral(node);
  if (literal === undefined) return;
  const [prefix = '', quote = '', own = ''] = literal;
  const write = (text: string, weight: number) =>
    replace(node, prefix + quote + text + quote, weight);
  if (/[\\^$*+?[\](){}|]/.test(own))
    for (const other of [...patternVariants(own)].slice(0, maxVariants)) yield write(other, 0.4);
  if (/[%{$\\]|([A-Za-z])\1/.test(own))
    for (const other of [...formatVariants(own)].slice(0, maxVariants)) yield write(other, 0.5);
  for (const other of ingredients.texts) if (other !== node.text) yield replace(node, other, 0.6);
  for (const other of [own.toLowerCase(), own.toUpperCase(), `${own} `, own.trim(), ` ${own}`])
    if (other !== own) yield write(other, own.length > 3 ? 0.15 : 0.3);
  if (own.length > 3) return;
  for (const other of separators) if (other !== own) yield write(other, 0.4);
}

/** Other texts between the expressions of a template or an f-string. */
function* parts({ node }: Site): Iterable<EditProposal> {
  const own = node.text;
  if (own.includes('\n')) return;
  const others = own.length > 3 ? [] : separators;
  for (const other of [...others, own.trim(), `${own} `, ` ${own}`])
    if (other !== own && other !== '') yield replace(node, other, 0.4);
  yield replace(node, '', 0.3);
}

function* patterns({ node, hints, ingredients }: Site): Iterable<EditProposal> {
  const pattern = node.childForFieldName('pattern')?.text ?? '';
  const flags = node.childForFieldName('flags')?.text ?? '';
  const write = (p: string, f: string, weight: number) => replace(node, `/${p}/${f}`, weight);
  for (const flag of ['g', 'i', 'm', 's', 'u'])
    yield write(
      pattern,
      flags.includes(flag) ? flags.replace(flag, '') : flags + flag,
      flag === 'g' || flag === 'i' ? 1 : 0.4,
    );
  for (const other of [...patternVariants(pattern)].slice(0, maxVariants))
    yield write(other, flags, 0.5);
  for (const other of alternatives(pattern, hints.texts)) yield write(other, flags, 0.7);
  for (const other of ingredients.patterns)
    if (other !== node.text) yield replace(node, other, 0.3 + 0.6 * likeness(other, node.text));
}

/** Fills an empty alternative, such as that of `(a|)`, with a short text of the tests. */
function* alternatives(pattern: string, texts: readonly string[]): Iterable<string> {
  const short = texts.filter(t => t.length <= 3).slice(0, maxShort);
  for (const { index, 0: found } of pattern.matchAll(
    /(?<!\\)\|(?=\)|$)|(?<![\\])\((?:\?:)?(?=\|)/g,
  )) {
    const end = index + found.length;
    for (const text of short)
      yield pattern.slice(0, end) +
        text.replace(/[\\^$*+?.()[\]{}|/]/g, '\\$&') +
        pattern.slice(end);
  }
}
