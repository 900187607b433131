/** Changes a text or a pattern: another text of the file, a separator, an empty text; a regular expression or a format. */
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

/** Replaces what a pattern finds, once for each match and each replacement. */
function* rewrites(
  text: string,
  found: RegExp,
  others: (match: RegExpExecArray) => readonly string[],
): Iterable<string> {
  for (const match of text.matchAll(found))
    for (const other of others(match))
      if (other !== match[0])
        yield text.slice(0, match.index) + other + text.slice(match.index + match[0].length);
}

const swapped = (letter: string) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
const beside = (number: string) => [Number(number) + 1, Number(number) - 1].filter(n => n >= 0);

/** Parts that a character class may lack. */
const classParts = ['A-Z', 'a-z', '0-9', '_', '-', '.', '\\s', '+'];

/** `.*` or `.+`, and the sign behind it. The backslash of a sign is written twice in a text. */
const anyUpTo = /(?<!\\)\.([*+])(?=\)?(\\{1,2}[^\w\\\]]|[<>"'`,;:/=&#@!%~-]))/g;

/** Changes one repetition, class, escape, group or anchor of a regular expression. */
function* patternVariants(pattern: string): Iterable<string> {
  yield pattern.startsWith('^') ? pattern.slice(1) : `^${pattern}`;
  yield pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}$`;
  // any character, but not the one that ends the part, at one place and at all of them
  const upTo = (more: string, end: string) => `[^${end.at(-1)}]${more}`;
  yield* rewrites(pattern, anyUpTo, ([, more = '', end = '']) => [upTo(more, end)]);
  yield pattern.replace(anyUpTo, (_, more: string, end: string) => upTo(more, end));
  yield* rewrites(pattern, /(?<!\\|\(|\[)[*+?](?!\?)/g, () => ['*', '+', '?', '']);
  // what is repeated may lack its repetition, and a greedy one may have to be lazy
  yield* rewrites(pattern, /(\\[dwsDWSbB]|\]|\))(?![*+?{])/g, ([all]) =>
    ['+', '*', '?'].map(more => all + more),
  );
  yield* rewrites(pattern, /(?<!\\)[*+}](?!\?)/g, ([all]) => [`${all}?`]);
  yield* rewrites(pattern, /(?<!\\)([*+}])\?/g, ([, all = '']) => [all]);
  yield* rewrites(pattern, /\\([dwsDWSbB])/g, ([, letter = '']) => [`\\${swapped(letter)}`]);
  yield* rewrites(pattern, /\\d/g, () => ['\\w', '[1-9]', '[\\d.]']);
  yield* rewrites(pattern, /\{(\d{1,9})(,?)(\d{0,9})\}/g, ([, from = '', comma = '', to = '']) =>
    [
      ...beside(from).map(n => `{${n}${comma}${to}}`),
      to === '' ? undefined : beside(to).map(n => `{${from}${comma}${n}}`),
      comma === '' ? `{${from},}` : `{${from}}`,
    ]
      .flat()
      .filter(item => item !== undefined),
  );
  yield* rewrites(pattern, /\[\^?/g, ([all]) => [all === '[' ? '[^' : '[']);
  yield* rewrites(pattern, /(?<![\\[])\[(\^?)([^\]]{0,500})\]/g, ([, not = '', parts = '']) => [
    ...classParts
      .filter(p => !parts.includes(p))
      .map(p => `[${not}${p === '-' ? parts + p : p + parts}]`),
    ...classParts
      .filter(p => parts.includes(p) && parts !== p)
      .map(p => `[${not}${parts.replace(p, '')}]`),
  ]);
  // an escape that lacks or is too many: `.` and `\.`
  yield* rewrites(pattern, /(?<!\\)\.(?![*+?{])/g, () => ['\\.']);
  yield* rewrites(pattern, /\\([.|/$^*+?()-])/g, ([, sign = '']) => (sign === '.' ? ['.'] : []));
  yield* rewrites(pattern, /\(\?:/g, () => ['(']);
  yield* rewrites(pattern, /(?<!\\)\((?!\?)/g, () => ['(?:']);
  if (/(?<!\\)\|/.test(pattern)) {
    const inner = pattern.replace(/^\^/, '').replace(/\$$/, '');
    yield `^(?:${inner})$`;
    yield `(?:${inner})`;
  }
}

/** Letters of dates and formats that are easily confused. */
const letters: readonly (readonly string[])[] = [
  ['%m', '%M'],
  ['%d', '%j', '%e', '%D'],
  ['%H', '%I', '%h'],
  ['%y', '%Y'],
  ['%b', '%B'],
  ['%a', '%A'],
  ['%S', '%s', '%f'],
  ['MM', 'mm', 'M'],
  ['DD', 'dd', 'D'],
  ['HH', 'hh', 'H'],
  ['YYYY', 'yyyy', 'YY'],
  ['%d', '%s', '%i', '%f', '%x', '%r'],
];

/** Changes a width, a precision, an alignment, a type, a group number or two neighbours of a format. */
function* formatVariants(text: string): Iterable<string> {
  const spec = /(?<=[:%])([<>^=+ #]?)(0?)(\d*)(,?)(\.\d+)?([a-z%]?)(?=\}|$|[^a-z%])/gi;
  yield* rewrites(text, spec, match => specsBeside(match));
  for (const group of letters)
    for (const letter of group)
      yield* rewrites(text, new RegExp(`(?<![A-Za-z])${letter}(?![A-Za-z])`, 'g'), () => group);
  yield* rewrites(text, /([$\\])(\d|&)/g, ([, sign = '', group = '']) =>
    group === '&'
      ? ['$1']
      : [...beside(group).map(n => `${sign}${n}`), sign === '$' ? '$&' : undefined].filter(
          item => item !== undefined,
        ),
  );
  const directives = [...text.matchAll(/%[a-zA-Z]|\{\w*\}|([A-Za-z])\1+/g)];
  for (const [i, one] of directives.entries()) {
    const next = directives[i + 1];
    if (next === undefined || next[0] === one[0]) continue;
    const between = text.slice(one.index + one[0].length, next.index);
    yield text.slice(0, one.index) +
      next[0] +
      between +
      one[0] +
      text.slice(next.index + next[0].length);
  }
}

/** Other specifications beside one such as `>08.2f`. */
function specsBeside(match: RegExpExecArray): readonly string[] {
  const [all, align = '', zero = '', width = '', comma = '', precision = '', type = ''] = match;
  if (all === '') return [];
  const write = (
    changed: Partial<Record<'align' | 'zero' | 'width' | 'comma' | 'precision', string>>,
  ) => {
    const now = { align, zero, width, comma, precision, ...changed };
    return `${now.align}${now.zero}${now.width}${now.comma}${now.precision}${type}`;
  };
  return [
    /^[<>^]$/.test(align) ? ['<', '>', '^'].map(a => write({ align: a })) : undefined,
    width === ''
      ? undefined
      : [
          ...beside(width).map(n => write({ width: String(n) })),
          write({ zero: zero === '' ? '0' : '' }),
        ],
    precision === ''
      ? undefined
      : beside(precision.slice(1)).map(n => write({ precision: `.${n}` })),
    precision === '' && type === 'f' ? ['.1', '.2'].map(p => write({ precision: p })) : undefined,
    comma === '' && /^[fd]?$/.test(type) ? write({ comma: ',' }) : undefined,
  ]
    .flat()
    .filter(item => item !== undefined);
}
