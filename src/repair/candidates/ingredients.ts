/** Collects the parts of a file that an edit may reuse: the redundancy assumption of GenProg (Weimer et al. 2009). */
import type { Node } from 'web-tree-sitter';
import { getCall, getParameters, type LanguageAdapter } from '../languages/language.ts';

/** A condition, and the names that it uses. */
interface Piece {
  readonly text: string;
  readonly names: readonly string[];
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

/** Parts of a file that an edit may reuse. */
export interface Ingredients {
  readonly conditions: readonly Piece[];
  /** Names and literals that functions return. */
  readonly returned: ReadonlySet<string>;
  /** Names of members by their object; the key '' holds those of all objects. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** Number of parameters of each function of the file. */
  readonly functions: ReadonlyMap<string, number>;
  /** Names of the parameters of each function of the file. */
  readonly signatures: ReadonlyMap<string, readonly string[]>;
  readonly helpers: readonly Helper[];
  /** Names that are indexed or whose length is used. */
  readonly lists: ReadonlySet<string>;
}

const maxChars = 160;
const maxBody = 600;
/** A name, a member, or a literal. */
const plainValue = /^[-\w'"[\]{}.]{1,22}$/;

/** Collects the ingredients in the order of the text, each once. */
export function collectIngredients(root: Node, language: LanguageAdapter): Ingredients {
  const { types } = language;
  const conditions = new Map<string, Piece>();
  const members = new Map<string, Set<string>>();
  const functions = new Map<string, number>();
  const signatures = new Map<string, readonly string[]>();
  const returned = new Set<string>();
  const helpers: Helper[] = [];
  const lists = new Set<string>();
  const member = (object: string, name: string) => {
    for (const key of [object, '']) members.set(key, (members.get(key) ?? new Set()).add(name));
  };
  const visit = (node: Node) => {
    // each reading of it calls the parser
    const { type } = node;
    if (type === types.return && plainValue.test(node.firstNamedChild?.text ?? ''))
      returned.add(node.firstNamedChild?.text ?? '');
    const condition = language.getCondition(node);
    if (condition !== undefined && condition.text.length <= maxChars)
      conditions.set(condition.text, {
        text: condition.text,
        names: namesIn(condition, language),
      });
    if (types.member.has(type)) {
      const object = node.childForFieldName(language.memberFields[0])?.text ?? '';
      const name = node.childForFieldName(language.memberFields[1])?.text ?? '';
      member(object, name);
      if (name === 'length') lists.add(object);
    }
    if (types.index.has(type)) lists.add((node.firstNamedChild ?? node).text);
    if (types.function.has(type)) {
      const name = node.childForFieldName('name')?.text;
      const isMethod =
        type === 'method_definition' || node.parent?.parent?.type === 'class_definition';
      const parameters = getParameters(node);
      const called = name ?? node.parent?.childForFieldName('name')?.text;
      if (name !== undefined) functions.set(name, parameters.length);
      if (called !== undefined)
        signatures.set(
          called,
          parameters.map(p => nameOfParameter(p)).filter(p => !isMethod || p !== 'self'),
        );
      const made = called === undefined || isMethod ? undefined : makeHelper(node, called);
      if (made !== undefined) helpers.push(made);
      if (name !== undefined && isMethod) for (const self of ['this', 'self']) member(self, name);
    }
    const call = getCall(node);
    if (call?.callee.text === 'len') lists.add(call.args[0]?.text ?? '');
    for (const child of node.namedChildren) if (child !== null) visit(child);
  };
  visit(root);
  return {
    conditions: [...conditions.values()],
    members: new Map([...members].map(([object, names]) => [object, [...names]])),
    functions,
    signatures,
    returned,
    helpers,
    lists,
  };
}

/** A short function with one parameter as a helper; undefined for another one. */
function makeHelper(node: Node, name: string): Helper | undefined {
  const [only, ...others] = getParameters(node);
  const body = node.childForFieldName('body')?.text ?? '';
  if (only === undefined || others.length > 0 || body.length > maxBody) return undefined;
  const { startIndex: start, endIndex: end } = node;
  return { name, parameter: nameOfParameter(only), body, start, end };
}

/** The name that a parameter binds; the whole text for a pattern. */
function nameOfParameter(node: Node): string {
  const inner =
    node.childForFieldName('pattern') ??
    node.childForFieldName('name') ??
    node.childForFieldName('left') ??
    (node.type === 'typed_parameter' ? node.firstNamedChild : null);
  return (inner ?? node).text;
}

/** The names that a node uses, without properties. */
export function namesIn(node: Node, language: LanguageAdapter): readonly string[] {
  const names = new Set<string>();
  const visit = (at: Node) => {
    if (language.types.name.has(at.type) && !isMemberName(at, language)) names.add(at.text);
    for (const child of at.namedChildren) if (child !== null) visit(child);
  };
  visit(node);
  return [...names];
}

/** True for a name after a dot, or the name of a keyword argument. */
export function isMemberName(node: Node, language: LanguageAdapter): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (parent.type === 'keyword_argument') return parent.childForFieldName('name')?.id === node.id;
  return (
    language.types.member.has(parent.type) &&
    parent.childForFieldName(language.memberFields[1])?.id === node.id
  );
}
