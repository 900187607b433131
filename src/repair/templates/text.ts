/** Changes a text or a pattern: another text of the file, a separator, an empty text; flags and repetitions. */
import { replace } from '../edit.ts';
import type { Site, Template } from '../template.ts';

const separators = ['', ' ', ',', ', ', '-', '_', '/', '.', ':', '0', '\\n'];

export const otherText: Template = {
  id: 'text',
  title: 'another text or pattern',
  source:
    'TBar FP9 "Mutate Literal Expression" (Liu et al. 2019); string literal changes of ManySStuBs4J-like studies in Python (PySStuBs, Kamienski et al. 2021); pattern repair (Pan et al. 2016)',
  prior: 0.3,
  *propose(site) {
    const { node, ingredients } = site;
    if (node.type === 'regex') yield* patterns(site);
    if (node.type !== 'string' || isDocumentation(site)) return;
    const quote = node.text[0] === '"' ? '"' : "'";
    const own = node.text.slice(1, -1);
    if (!/^['"]/.test(node.text) || own.includes('\n')) return;
    if (/[\\^$*+?[\](){}|]/.test(own))
      yield* repeated(own).map(t => replace(node, quote + t + quote, 0.4));
    for (const other of ingredients.texts) if (other !== node.text) yield replace(node, other, 0.6);
    if (own.length > 3) return;
    for (const other of separators)
      if (other !== own) yield replace(node, quote + other + quote, 0.4);
    for (const other of [own.toLowerCase(), own.toUpperCase(), `${own} `, own.trim(), ` ${own}`])
      if (other !== own) yield replace(node, quote + other + quote, 0.3);
  },
};

const isDocumentation = ({ node }: Site) => node.parent?.type === 'expression_statement';

function* patterns({ node }: Site) {
  const pattern = node.childForFieldName('pattern')?.text ?? '';
  const flags = node.childForFieldName('flags')?.text ?? '';
  const write = (p: string, f: string, weight: number) => replace(node, `/${p}/${f}`, weight);
  for (const flag of ['g', 'i', 'm', 's', 'u'])
    yield write(
      pattern,
      flags.includes(flag) ? flags.replace(flag, '') : flags + flag,
      flag === 'g' || flag === 'i' ? 1 : 0.4,
    );
  for (const other of repeated(pattern)) yield write(other, flags, 0.5);
}

/** Changes one repetition or anchor of a pattern. */
function repeated(pattern: string): readonly string[] {
  const found: string[] = [];
  for (const match of pattern.matchAll(/(?<!\\)[*+?]/g))
    for (const other of ['*', '+', '?', ''])
      if (other !== match[0])
        found.push(pattern.slice(0, match.index) + other + pattern.slice(match.index + 1));
  for (const match of pattern.matchAll(/\\[dwsDWSbB]|\]|\)/g)) {
    const end = match.index + match[0].length;
    if (!/[*+?{]/.test(pattern[end] ?? ''))
      for (const more of ['+', '*', '?'])
        found.push(pattern.slice(0, end) + more + pattern.slice(end));
  }
  for (const match of pattern.matchAll(/\\[dwsDWS]/g)) {
    const letter = match[0][1] ?? '';
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    found.push(`${pattern.slice(0, match.index)}\\${other}${pattern.slice(match.index + 2)}`);
  }
  found.push(pattern.startsWith('^') ? pattern.slice(1) : `^${pattern}`);
  found.push(pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}$`);
  return found;
}
