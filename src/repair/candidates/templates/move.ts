/** Moves a statement: past its neighbour, out of its block, or to the end of the block before it. */
import type { Node } from 'web-tree-sitter';
import {
  type EditProposal,
  exchange,
  getIndent,
  insertAt,
  insertBefore,
  insertBehind,
  isInBlock,
  removeLine,
  type Site,
  type Template,
} from '../template.ts';

export const move: Template = {
  id: 'move',
  title: 'a statement moved',
  source:
    'TBar FP15 "Move Statement" (Liu et al. 2019); statement swap of GenProg (Weimer et al. 2009)',
  prior: 0.3,
  *propose(site) {
    const { node, language } = site;
    if (!isInBlock(node, language)) return;
    const next = node.nextNamedSibling;
    if (next !== null && isInBlock(next, language)) yield exchange(node, next, 1);
    yield* outwards(site);
    yield* inwards(site);
  },
};

/** Removes the whole line of a statement, unless it is the only statement of a Python block. */
function cutLine({ node, text, language }: Site) {
  const isNeeded = language.name === 'python' && node.parent?.namedChildCount === 1;
  return isNeeded ? undefined : removeLine(node, text);
}

/** The text of a statement with another indentation. */
function shifted(node: Node, indent: string): string {
  return node.text.replaceAll(`\n${getIndent(node)}`, `\n${indent}`);
}

/** Moves a statement after or before the statement that holds its block. */
function* outwards(site: Site): Iterable<EditProposal> {
  const { node, language } = site;
  const block = node.parent;
  let holder = block?.parent ?? null;
  while (holder !== null && !isInBlock(holder, language)) holder = holder.parent;
  if (holder === null || language.types.function.has(block?.parent?.type ?? '')) return;
  const cut = cutLine(site);
  if (cut === undefined) return;
  const indent = getIndent(holder);
  const moved = shifted(node, indent);
  // the last statement of a Python block ends with its holder, so less indentation is enough
  const behind =
    holder.endIndex <= cut.end
      ? [{ start: cut.start, end: node.endIndex, text: `${indent}${moved}` }]
      : [cut, ...insertBehind(holder, moved).edits];
  yield { edits: behind, weight: 0.8 };
  yield { edits: [cut, ...insertBefore(holder, moved).edits], weight: 0.6 };
}

/** Moves a statement to the end, or to the start, of the block of the statement before it. */
function* inwards(site: Site): Iterable<EditProposal> {
  const { node, language } = site;
  const before = node.previousNamedSibling;
  const body = before?.childForFieldName('body') ?? before?.childForFieldName('consequence');
  const [first, last] = [body?.firstNamedChild, body?.lastNamedChild];
  const cut = cutLine(site);
  if (!body || !first || !last || cut === undefined || !language.types.block.has(body.type)) return;
  const moved = shifted(node, getIndent(last));
  yield { edits: [cut, ...insertBehind(last, moved).edits], weight: 0.7 };
  yield {
    edits: [cut, ...insertAt(first.startIndex, `${moved}\n${getIndent(last)}`).edits],
    weight: 0.4,
  };
}
