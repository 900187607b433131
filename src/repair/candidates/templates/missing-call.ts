/** Adds the call that fills a collection which nothing fills. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import { functionOfStatement, insertBeside, type Site, type Template } from '../template.ts';

export const missingCall: Template = {
  id: 'missing-call',
  title: 'a missing addition to a collection that nothing fills',
  source:
    'missing method calls (Monperrus, Mezini 2013); missing update of the orthogonal defect classes (Durães, Madeira 2006)',
  prior: 0.4,
  *propose(site) {
    const { node, language } = site;
    const around = functionOfStatement(node, language);
    if (around === undefined || language.types.function.has(node.type)) return;
    for (const { text, weight } of additions(site, around)) yield* insertBeside(node, text, weight);
  },
};

const maxNames = 8;

function additions({ node, language, names }: Site, around: Node) {
  const known = names(node).filter(n => n.kind !== 'function');
  const near = known.filter(n => n.local).map(n => n.name);
  // a copy of a list is made to change it
  const copied = known.filter(n => !n.local && isCopied(n.name, around.text)).map(n => n.name);
  return [...copied, ...near].flatMap(name => {
    const method = makeFill(name, around.text, language);
    const values = method === undefined ? [] : near.filter(n => n !== name).slice(0, maxNames);
    return values.map((value, i) => ({
      text: `${name}.${method}(${value})${language.tokens.end}`,
      // the latest declaration is the most likely one
      weight: i < 3 ? 1 : 0.7,
    }));
  });
}

/** True for a name outside of the function that the function sets to a copy of a list. */
function isCopied(name: string, text: string): boolean {
  const word = `(?<![\\w$.])${name.replaceAll('$', '\\$')}`;
  return new RegExp(`${word}\\s*=\\s*(?:[^;\\n]*[Ss]lice\\b|\\[\\.\\.\\.|list\\()`).test(text);
}

/** The call that fills a list or a set; undefined for another value, or if something fills it already. */
function makeFill(name: string, text: string, language: LanguageAdapter): string | undefined {
  const word = `(?<![\\w$.])${name.replaceAll('$', '\\$')}`;
  const is = (rest: string) => new RegExp(word + rest).test(text);
  const filled = language.name === 'python' ? pythonFills : scriptFills;
  if (filled.some(is) || new RegExp(`heappush\\(\\s*${word}\\b`).test(text)) return undefined;
  if (language.name === 'python') {
    if (is('\\s*=\\s*set\\(')) return 'add';
    return is('\\s*=\\s*(\\[|deque\\(|list\\()') ? 'append' : undefined;
  }
  if (is('\\s*=\\s*new Set\\b')) return 'add';
  return is('\\s*=\\s*\\[') || isCopied(name, text) ? 'push' : undefined;
}

const pythonFills = [
  '\\.(append|appendleft|add|extend|insert|update)\\(',
  '\\s*\\+=',
  '\\[[^\\]]*\\]\\s*[-+*|]?=[^=]',
];
const scriptFills = ['\\.(push|unshift|add|splice)\\(', '\\[[^\\]]*\\]\\s*[-+*|]?=[^=]'];
