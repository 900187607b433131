/** The language adapter of the templates: node types of a language, and how to write its constructs. */
import type { Node } from 'web-tree-sitter';

/** The parts of a call. */
export interface Call {
  readonly callee: Node;
  readonly list: Node;
  readonly args: readonly Node[];
}

/** The tokens of a language for common concepts. */
interface LanguageTokens {
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
}

/** A set of node types from a list separated by blanks. */
export const nodeTypes = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export interface LanguageAdapter {
  readonly name: 'script' | 'python';
  readonly tokens: LanguageTokens;
  /** Node types by their role. */
  readonly types: {
    readonly function: ReadonlySet<string>;
    readonly block: ReadonlySet<string>;
    /** Statements that can be moved, copied and deleted whole. */
    readonly simple: ReadonlySet<string>;
    readonly statement: ReadonlySet<string>;
    readonly binary: ReadonlySet<string>;
    readonly number: ReadonlySet<string>;
    readonly text: ReadonlySet<string>;
    readonly name: ReadonlySet<string>;
    readonly call: ReadonlySet<string>;
    readonly member: ReadonlySet<string>;
    readonly index: ReadonlySet<string>;
    readonly return: string;
  };
  /** The fields of a member expression that hold its object and its name. */
  readonly memberFields: readonly [object: string, name: string];
  /** Groups of functions and members that are easily confused. */
  readonly siblings: readonly (readonly string[])[];
  /** The condition of a node, without the parentheses around it; undefined if it has none. */
  getCondition(node: Node): Node | undefined;
  /** The opposite of a condition. */
  not(condition: string): string;
}

const calls = nodeTypes('call call_expression new_expression');

/** The parts of a call; undefined for another node. */
export function getCall(node: Node): Call | undefined {
  if (!calls.has(node.type)) return undefined;
  const callee = node.childForFieldName('function') ?? node.childForFieldName('constructor');
  const list = node.childForFieldName('arguments');
  if (callee === null || list === null) return undefined;
  // `sum(x for x in y)` in Python: the generator is the list of arguments, too
  if (list.type === 'generator_expression') return { callee, list, args: [list] };
  if (!/^(arguments|argument_list)$/.test(list.type)) return undefined;
  return { callee, list, args: list.namedChildren.filter(c => c !== null && c.type !== 'comment') };
}

/** Parameters of a function node. */
export function getParameters(node: Node): readonly Node[] {
  // an arrow function without parentheses
  const single = node.childForFieldName('parameter');
  if (single !== null) return [single];
  return (node.childForFieldName('parameters')?.namedChildren ?? []).filter(c => c !== null);
}

/** The opposite of a condition, for `!`. */
export function negate(condition: string): string {
  if (!/^!?[\w$.]+$/.test(condition)) return `!(${condition})`;
  return condition.startsWith('!') ? condition.slice(1) : `!${condition}`;
}
