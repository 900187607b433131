/** Moves a statement: past its neighbour, out of its block, or to the end of the block before it. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../../languages/language.ts';
import { type EditProposal, exchange } from '../edit.ts';
import type { Site, Template } from '../template.ts';

export const move: Template = {
  id: 'move',
  title: 'a statement moved',
  source:
    'TBar FP15 "Move Statement" (Liu et al. 2019); statement swap of GenProg (Weimer et al. 2009)',
  prior: 0.3,
  *propose(site) {
    const { node, language } = site;
    if (!isMovable(node, language)) return;
    const next = node.nextNamedSibling;
    if (next !== null && isMovable(next, language)) yield exchange(node, next, 1);
    yield* outwards(site);
    yield* inwards(site);
  },
};

function isMovable(node: Node, { types }: LanguageAdapter): boolean {
  return types.statement.has(node.type) && types.block.has(node.parent?.type ?? '');
}

const at = (node: Node) => ' '.repeat(node.startPosition.column);

/** Removes the whole line of a statement, unless it is the only statement of a Python block. */
function taken(node: Node, { text, language }: Site) {
  const start = text.lastIndexOf('\n', node.startIndex - 1) + 1;
  const end = text.indexOf('\n', node.endIndex) + 1 || text.length;
  const alone = text.slice(start, node.startIndex).trim() === '';
  const needed = language.name === 'python' && node.parent?.namedChildCount === 1;
  if (!alone || needed) return undefined;
  return { start, end, text: '' };
}

/** The text of a statement with another indentation. */
function shifted(node: Node, indent: string): string {
  return node.text.replaceAll(`\n${at(node)}`, `\n${indent}`);
}

/** Moves a statement after or before the statement that holds its block. */
function* outwards(site: Site): Iterable<EditProposal> {
  const { node, language } = site;
  const block = node.parent;
  let holder = block?.parent ?? null;
  while (holder !== null && !isMovable(holder, language)) holder = holder.parent;
  if (holder === null || language.types.function.has(block?.parent?.type ?? '')) return;
  const cut = taken(node, site);
  if (cut === undefined) return;
  const indent = at(holder);
  const moved = shifted(node, indent);
  // the last statement of a Python block ends with its holder, so less indentation is enough
  const behind =
    holder.endIndex <= cut.end
      ? [{ start: cut.start, end: node.endIndex, text: `${indent}${moved}` }]
      : [cut, { start: holder.endIndex, end: holder.endIndex, text: `\n${indent}${moved}` }];
  yield { edits: behind, weight: 0.8 };
  yield {
    edits: [cut, { start: holder.startIndex, end: holder.startIndex, text: `${moved}\n${indent}` }],
    weight: 0.6,
  };
}

/** Moves a statement to the end of the block of the statement before it. */
function* inwards(site: Site): Iterable<EditProposal> {
  const { node, language } = site;
  const before = node.previousNamedSibling;
  const body =
    before === null
      ? null
      : (before.childForFieldName('body') ?? before.childForFieldName('consequence'));
  const last = body?.lastNamedChild ?? null;
  const cut = taken(node, site);
  if (body === null || last === null || cut === undefined || !language.types.block.has(body.type))
    return;
  const indent = at(last);
  yield {
    edits: [
      cut,
      { start: last.endIndex, end: last.endIndex, text: `\n${indent}${shifted(node, indent)}` },
    ],
    weight: 0.7,
  };
  const first = body.firstNamedChild ?? last;
  yield {
    edits: [
      cut,
      {
        start: first.startIndex,
        end: first.startIndex,
        text: `${shifted(node, indent)}\n${indent}`,
      },
    ],
    weight: 0.4,
  };
}
