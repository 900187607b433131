/** What the templates have to know of a language: names of its nodes, and how things are written. */
import type { Node } from 'web-tree-sitter';

/** A call and its parts. */
export interface Call {
  readonly callee: Node;
  readonly list: Node;
  readonly args: readonly Node[];
}

/** Words of a language for one idea. */
export interface LanguageTokens {
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

export interface LanguageAdapter {
  readonly name: 'script' | 'python';
  readonly words: LanguageTokens;
  /** Node types by what they are. */
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
  /** Field of a member expression that holds its object, and the one that holds its name. */
  readonly memberFields: readonly [object: string, name: string];
  /** Functions that convert or round, as they stand before an opening parenthesis. */
  readonly conversions: readonly string[];
  /** Methods without arguments that give another form of the same thing. */
  readonly methods: readonly string[];
  /** Names of functions and members that are mistaken for each other, groups. */
  readonly siblings: readonly (readonly string[])[];
  callOf(node: Node): Call | null;
  /** The condition that a node decides by, without parentheses around it; null when it has none. */
  conditionOf(node: Node): Node | null;
  /** The opposite of a condition. */
  not(condition: string): string;
  /** Length of a thing. */
  lengthOf(name: string): string;
  /** A copy of a list. */
  copies(name: string): readonly string[];
  /** True when there is nothing in a thing. */
  isEmpty(name: string): string;
  /** `if (condition) statement` on lines of its own, without the indentation of its first line. */
  guard(condition: string, statement: string, indent: string): string;
  /** Parameters of a function node. */
  parametersOf(node: Node): readonly Node[];
  /** The body of a function node. */
  bodyOf(node: Node): Node | null;
}
