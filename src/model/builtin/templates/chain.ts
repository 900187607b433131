/** Calls of a chain in another order. */
import type { Node } from 'web-tree-sitter';
import type { Dialect } from '../dialect.ts';
import { replaceRange } from '../edit.ts';
import type { Template } from '../template.ts';

export const chain: Template = {
  id: 'chain',
  title: 'chained calls in another order',
  source:
    'TBar FP15 over expressions (Liu et al. 2019); order of calls in BugsJS (Gyimesi et al. 2019)',
  prior: 0.4,
  *propose({ node, dialect, text }) {
    const outer = linkOf(node, dialect);
    const inner = outer === null ? null : linkOf(outer.object, dialect);
    if (outer === null || inner === null) return;
    const [from, middle, to] = [inner.object.endIndex, outer.object.endIndex, node.endIndex];
    const [first, second] = [text.slice(from, middle), text.slice(middle, to)];
    if (first !== second) yield replaceRange([from, to], second + first, 1);
    yield replaceRange([from, to], first, 0.2);
    yield replaceRange([from, to], second, 0.2);
  },
};

/** What a chained call is made on. */
function linkOf(node: Node, dialect: Dialect): { readonly object: Node } | null {
  const call = dialect.types.call.has(node.type) ? dialect.callOf(node) : null;
  if (call === null || !dialect.types.member.has(call.callee.type)) return null;
  const object = call.callee.childForFieldName(dialect.memberFields[0]);
  return object === null ? null : { object };
}
