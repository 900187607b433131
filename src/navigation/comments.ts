/** Tells a change of comments from one of code. */
import type { Node } from 'web-tree-sitter';
import type { Symbols } from './symbols.ts';

/** True if two texts of a file differ in comments and strings that document alone, by their syntax trees. */
export async function changesCommentsOnly(
  { withTree }: Pick<Symbols, 'withTree'>,
  path: string,
  [before, after]: readonly [string, string],
): Promise<boolean> {
  const code = await withTree(path, before, writeCode);
  return code !== undefined && code === (await withTree(path, after, writeCode));
}

/** Comments that compilers and interpreters read. */
const directive = /^(?:#!|#\s*-\*-|#\s*(?:cython|type|pragma)\b|\/\/go:|\/\/\s*\+build|\/\/\/\s*<)/;

/** The leaves of a tree, without what only people read. */
function writeCode(root: Node): string {
  const parts: string[] = [];
  const visit = (node: Node) => {
    const [only, another] = node.children;
    const documents =
      node.type === 'expression_statement' && only?.type === 'string' && another === undefined;
    if (documents || (/comment/.test(node.type) && !directive.test(node.text))) return;
    // the parts of a literal do not hold all of its blanks
    if (node.childCount === 0 || /string|regex/.test(node.type)) parts.push(node.text);
    else for (const child of node.children) if (child !== null) visit(child);
    parts.push(`/${node.type}`);
  };
  visit(root);
  return parts.join('\n');
}
