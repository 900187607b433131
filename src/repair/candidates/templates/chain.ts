/** Reorders the calls of a chain. */
import type { Node } from 'web-tree-sitter';
import { getCall, type LanguageAdapter } from '../../languages/language.ts';
import { replaceRange, type Template } from '../template.ts';

export const chain: Template = {
  id: 'chain',
  title: 'chained calls in another order',
  source:
    'TBar FP15 over expressions (Liu et al. 2019); order of calls in BugsJS (Gyimesi et al. 2019)',
  prior: 0.4,
  *propose({ node, language, text }) {
    const outer = findLink(node, language);
    const inner = outer === undefined ? undefined : findLink(outer.object, language);
    if (outer === undefined || inner === undefined) return;
    const [from, middle, to] = [inner.object.endIndex, outer.object.endIndex, node.endIndex];
    const [first, second] = [text.slice(from, middle), text.slice(middle, to)];
    if (first !== second) yield replaceRange([from, to], second + first, 1);
    yield replaceRange([from, to], first, 0.2);
    yield replaceRange([from, to], second, 0.2);
  },
};

/** The object of a chained call. */
function findLink(node: Node, language: LanguageAdapter): { readonly object: Node } | undefined {
  const call = getCall(node);
  if (call === undefined || !language.types.member.has(call.callee.type)) return undefined;
  const object = call.callee.childForFieldName(language.memberFields[0]);
  return object === null ? undefined : { object };
}
