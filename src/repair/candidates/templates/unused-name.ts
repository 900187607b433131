/** Uses a parameter or a variable of the function that nothing uses. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import { functionAround, isTarget, matchName } from '../scope.ts';
import { replace, type Template } from '../template.ts';

const maxLength = 40;

export const unusedName: Template = {
  id: 'unused-name',
  title: 'a name that was not used, in place of an expression',
  source:
    'redundancies as signs of errors (Xie, Engler 2002); "Change Identifier Used" of ManySStuBs4J (Karampatsis, Sutton 2020); variable misuse (Allamanis et al. 2018)',
  prior: 0.6,
  *propose({ node, language, names }) {
    if (!isValue(node, language) || isTarget(node) || node.text.length > maxLength) return;
    const around = functionAround(node, language);
    if (around === undefined) return;
    for (const { name, kind, depth } of names(node)) {
      if (kind === 'function' || depth > 0 || name === node.text || name.startsWith('_')) continue;
      if ([...around.text.matchAll(matchName(name))].length === 1) yield replace(node, name, 1);
    }
  },
};

function isValue({ type, parent }: Node, { types }: LanguageAdapter): boolean {
  const isPart = types.member.has(type) || types.index.has(type) || types.call.has(type);
  return isPart && parent !== null && !/^(expression_statement|decorator)$/.test(parent.type);
}
