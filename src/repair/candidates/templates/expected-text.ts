/** Writes the text that the failing tests expect, or one of their literals that is close to the text. */
import { replace, type Site, splitLiteral, type Template } from '../template.ts';
import { likeness, textsFor } from '../test-hints.ts';

const maxLength = 60;
const leastLikeness = 0.6;
const maxClose = 6;

export const expectedText: Template = {
  id: 'expected-text',
  title: 'another text, as a failing test has it',
  source:
    'value replacement (Jeffrey et al. 2008); TBar FP9 "Mutate Literal Expression" (Liu et al. 2019); literals of tests as ingredients: angelic values (Chandra et al. 2011)',
  prior: 0.7,
  *propose({ node, hints }) {
    const isPart = /^(string_fragment|string_content)$/.test(node.type) && inTemplate(node);
    const parts = isPart ? ['', '', node.text] : splitLiteral(node);
    if (parts === undefined) return;
    const [front = '', quote = '', own = ''] = parts;
    if (own.length > maxLength || own.includes('\n')) return;
    const write = (text: string, weight: number) =>
      replace(node, front + quote + escaped(text, quote) + quote, weight);
    for (const text of textsFor(own, hints)) if (text.length <= maxLength) yield write(text, 1);
    if (own.length < 2) return;
    const close = hints.texts
      .filter(text => text !== own)
      .map(text => ({ text, like: likeness(own, text) }))
      .filter(({ like }) => like >= leastLikeness)
      .sort((a, b) => b.like - a.like)
      .slice(0, maxClose);
    for (const { text, like } of close) yield write(text, like);
  },
};

/** True for a text between the expressions of a template or an f-string. */
function inTemplate({ parent }: Site['node']): boolean {
  return parent !== null && (parent.type === 'template_string' || parent.namedChildCount !== 1);
}

function escaped(text: string, quote: string): string {
  if (quote === '') return text.replace(/[`{}]|\$(?=\{)/g, '');
  return text.replace(/\n/g, '\\n').replaceAll(quote, `\\${quote}`);
}
