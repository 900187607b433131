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
  readonly and: string;
  readonly or: string;
  readonly equal: string;
  readonly unequal: string;
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  readonly minusInfinity: string;
  readonly infinity: string;
  /** Ends a statement. */
  readonly end: string;
}

/** A set of node types from a list separated by blanks. */
export const nodeTypes = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export interface LanguageAdapter {
  readonly name: 'script' | 'python' | 'go';
  /** Ids of the templates that are used; all if absent. */
  readonly templates?: ReadonlySet<string>;
  /** What no edit may write, because the language does not have it. */
  readonly refused?: RegExp;
  readonly tokens: LanguageTokens;
  /** Node types by their role. */
  readonly types: {
    readonly function: ReadonlySet<string>;
    readonly loop: ReadonlySet<string>;
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
  /** Functions that convert or round, as written before the opening parenthesis. */
  readonly conversions: readonly string[];
  /** Methods without arguments that return another form of the same value. */
  readonly methods: readonly string[];
  /** Groups of functions and members that are easily confused. */
  readonly siblings: readonly (readonly string[])[];
  getCall(node: Node): Call | undefined;
  /** The condition of a node, without the parentheses around it; undefined if it has none. */
  getCondition(node: Node): Node | undefined;
  /** The opposite of a condition. */
  not(condition: string): string;
  /** The length of a value. */
  lengthOf(name: string): string;
  /** Expressions that copy a list. */
  copies(name: string): readonly string[];
  /** A condition that is true for an empty value. */
  isEmpty(name: string): string;
  /** `if (condition) statement` on its own lines, without the indentation of the first. */
  guard(condition: string, statement: string, indent: string): string;
  /** Parameters of a function node. */
  getParameters(node: Node): readonly Node[];
  /** The body of a function node. */
  getBody(node: Node): Node | undefined;
}
