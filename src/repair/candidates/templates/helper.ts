/** Calls a function of the file that does more than the expression, and holds it. */
import type { Node } from 'web-tree-sitter';
import { getParameters, type LanguageAdapter } from '../../languages/language.ts';
import { isTarget, listNames, matchName } from '../scope.ts';
import { replace, type Template } from '../template.ts';

const maxPart = 40;

export const helper: Template = {
  id: 'helper',
  title: 'a function of the file in place of a part of it',
  source:
    'inconsistent clones (Juergens et al. 2009); redundancy of fixes (Martinez et al. 2014); "Change Caller in Function Call" of ManySStuBs4J (Karampatsis, Sutton 2020)',
  prior: 0.5,
  *propose({ node, language, names }) {
    const { name, member, index, call, binary } = language.types;
    const isPart = [name, member, index, call, binary].some(types => types.has(node.type));
    if (!isPart || node.text.length > maxPart || isTarget(node)) return;
    const known = new Set(names(node).map(n => n.name));
    for (const { name, parameter, body, start, end } of listHelpers(node, language)) {
      const isInside = node.startIndex >= start && node.endIndex <= end;
      if (isInside || !known.has(name)) continue;
      for (const argument of listNames(node, language)) {
        const held = node.text.replaceAll(matchName(argument), () => parameter);
        if (holds(body, held)) yield replace(node, `${name}(${argument})`);
      }
    }
  },
};

/** True if the body of a function holds an expression as a part, and does not just return it. */
function holds(body: string, expression: string): boolean {
  const bare = (text: string) => text.replace(/[\s{};]|\breturn\b/g, '');
  const part = new RegExp(`(?<![\\w$.])${RegExp.escape(expression)}(?![\\w$.(])`);
  return bare(body) !== bare(expression) && part.test(body);
}

/** A short function with one parameter. */
interface Helper {
  readonly name: string;
  readonly parameter: string;
  readonly body: string;
  /** Its place in the text. */
  readonly start: number;
  readonly end: number;
}

const maxBody = 600;
/** Those of each file, which stay the same while its tree does. */
const known = new WeakMap<Node['tree'], readonly Helper[]>();

function listHelpers({ tree }: Node, { types }: LanguageAdapter): readonly Helper[] {
  const remembered = known.get(tree);
  if (remembered !== undefined) return remembered;
  const found: Helper[] = [];
  const visit = (node: Node) => {
    const [only, ...others] = types.function.has(node.type) ? getParameters(node) : [];
    const name = (node.childForFieldName('name') ?? node.parent?.childForFieldName('name'))?.text;
    const isMethod =
      node.type === 'method_definition' || node.parent?.parent?.type === 'class_definition';
    const body = node.childForFieldName('body')?.text ?? '';
    if (only && name && others.length === 0 && !isMethod && body.length <= maxBody) {
      const { startIndex: start, endIndex: end } = node;
      const bound = only.childForFieldName('pattern') ?? only.childForFieldName('name') ?? only;
      found.push({ name, parameter: bound.text, body, start, end });
    }
    for (const child of node.namedChildren) if (child !== null) visit(child);
  };
  visit(tree.rootNode);
  known.set(tree, found);
  return found;
}
