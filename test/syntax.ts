/** What a source file declares, names and imports, read with a real parser. */
import { readFileSync } from 'node:fs';
import { type BindingPattern, type BindingRestElement, type Program, parseSync } from 'oxc-parser';

export type Tree = { readonly type: string } & Readonly<Record<string, unknown>>;

/** @throws Error when the file does not parse. */
export function parseSource(path: string): Program {
  const { program, errors } = parseSync(path, readFileSync(path, 'utf8'));
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  return program;
}

export interface Import {
  /** As it is written: `./other.ts`, `node:fs` or a package. */
  readonly to: string;
  /** True if only types are imported, so that nothing is loaded. */
  readonly isType: boolean;
  /** True for `import()`. */
  readonly isLazy: boolean;
}

/** Every import, export-from, dynamic import and type import of a file, by a real parser. */
export function importsOf(path: string): readonly Import[] {
  const text = readFileSync(path, 'utf8');
  const { module, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const written = new Map<string, Import>();
  const add = (to: string, isType: boolean, isLazy = false) => {
    const before = written.get(to) ?? { isType: true, isLazy: true };
    written.set(to, { to, isType: before.isType && isType, isLazy: before.isLazy && isLazy });
  };
  for (const { moduleRequest, entries } of module.staticImports)
    add(moduleRequest.value, entries.length > 0 && entries.every(e => e.isType));
  for (const { moduleRequest, isType } of module.staticExports.flatMap(e => e.entries))
    if (moduleRequest !== null) add(moduleRequest.value, isType);
  for (const { moduleRequest } of module.dynamicImports) {
    const [, to] = /^['"](.+)['"]$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? [];
    if (to !== undefined) add(to, false, true);
  }
  // `typeof import('./other.ts')` is a type
  for (const [, to = ''] of text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g))
    if (!written.has(to)) add(to, true);
  return [...written.values()];
}

/** Every node below a list of nodes, in order, with the node above it. */
export function* nodesOf(value: unknown): Generator<readonly [Tree, Tree | undefined]> {
  const open: [unknown, Tree | undefined][] = [[value, undefined]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [item, above] = next;
    if (typeof item !== 'object' || item === null) continue;
    const isNode = !Array.isArray(item) && 'type' in item;
    if (isNode) yield [item as Tree, above];
    if (isNode || Array.isArray(item))
      for (const child of Object.values(item).reverse())
        open.push([child, isNode ? (item as Tree) : above]);
  }
}

export interface NamedIdentifier {
  readonly name: string;
  /** True for the name of a property, such as a key of a JSON file. */
  readonly isKey: boolean;
}

/** Every identifier of a file, in order. */
export function identifiersOf(program: Program): readonly NamedIdentifier[] {
  return [...nodesOf(program.body)].flatMap(([node, above]) => {
    if (node.type !== 'Identifier' && node.type !== 'PrivateIdentifier') return [];
    const isMember = above?.property === node && above.computed === false;
    const isKey = above?.key === node && above.computed === false && above.shorthand !== true;
    return [{ name: String(node.name), isKey: isMember || isKey }];
  });
}

/** How often a literal is spread on a condition, as in `{ ...(a ? { b } : {}) }`. */
export function countConditionalSpreads(program: Program): number {
  const isLiteral = (node: unknown) =>
    /^(Object|Array)Expression$/.test((node as Tree | undefined)?.type ?? '');
  return [...nodesOf(program.body)].filter(([node]) => {
    if (node.type !== 'SpreadElement') return false;
    let value = node.argument as Tree;
    while (value.type === 'ParenthesizedExpression') value = value.expression as Tree;
    if (value.type === 'ConditionalExpression')
      return isLiteral(value.consequent) || isLiteral(value.alternate);
    return value.operator === '&&' && isLiteral(value.right);
  }).length;
}

/** The variables of a pattern, such as `{ a, b: [c] }`; their types are left out. */
function namesIn(pattern: BindingPattern | BindingRestElement): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap(p => namesIn(p.type === 'Property' ? p.value : p));
    case 'ArrayPattern':
      return pattern.elements.flatMap(e => (e === null ? [] : namesIn(e)));
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
  }
}

/**
 * The globals and functions of Node that a file uses, as `Date.now`, `new Date()` (without arguments)
 * or `setTimeout`.
 */
export function usesOf(program: Program): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [node, above] of nodesOf(program.body)) {
    const isProperty = above?.property === node || above?.key === node;
    if (node.type === 'Identifier' && !isProperty) found.add(String(node.name));
    if (node.type === 'MemberExpression') {
      const { object, property } = node as unknown as Record<string, Tree>;
      found.add(`${object?.name}.${property?.name}`);
    }
    if (node.type === 'NewExpression' && (node.arguments as unknown[]).length === 0)
      found.add(`new ${(node.callee as Tree).name}()`);
  }
  return found;
}

/** Methods that change what they are called on. */
const changing = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin append'.split(
    ' ',
  ),
);
/** Classes whose values hold what others gave them. */
const stateful = new Set(
  'WeakMap WeakSet WeakRef AbortController EventEmitter AsyncLocalStorage Worker'.split(' '),
);

/** Without what only types see, and `await`. */
function plainValue(node: Tree | undefined): Tree | undefined {
  const inner = node?.type === 'AwaitExpression' ? node.argument : node?.expression;
  const isWrapped = /^(TSAs|TSSatisfies|TSNonNull|Await)Expression$/.test(node?.type ?? '');
  return isWrapped ? plainValue(inner as Tree) : node;
}

/** The variable that `a.b[c].d` begins with; undefined for anything else. */
function rootOf(node: Tree): string | undefined {
  if (node.type === 'Identifier') return String(node.name);
  return node.type === 'MemberExpression' ? rootOf(node.object as Tree) : undefined;
}

/** Is this a schema, such as `z.object({ … }).strict()` or `other().extend({ … })`? It is the same at every call. */
function isSchema(node: Tree | undefined): boolean {
  const callee = node?.type === 'CallExpression' ? (node.callee as Tree) : undefined;
  if (callee?.type !== 'MemberExpression') return false;
  const { name } = callee.property as Tree;
  const object = callee.object as Tree;
  return name === 'extend' || object.name === 'z' || isSchema(object);
}

/** The variable that a node changes: by an assignment to a part of it, by `delete`, or by a method. */
function changedBy(node: Tree): string | undefined {
  const isAssigned =
    /^(Assignment|Update)Expression$/.test(node.type) ||
    (node.type === 'UnaryExpression' && node.operator === 'delete');
  const target = (isAssigned ? (node.left ?? node.argument) : node.callee) as Tree | undefined;
  if (target?.type !== 'MemberExpression') return undefined;
  const { name } = target.property as Tree;
  // an expression with a place to go on from is told it before each use
  const isChange = isAssigned ? name !== 'lastIndex' : changing.has(String(name));
  return isChange ? rootOf(target) : undefined;
}

/** Does a variable of a module hold something from one call to the next, by what it is made of? */
function isStateful(name: string, value: Tree | undefined): boolean {
  if (value?.type === 'CallExpression') {
    const callee = String((value.callee as Tree).name);
    if (callee !== 'once') return /^(open|memo|oneAt)/.test(callee);
    const [maker] = value.arguments as readonly Tree[];
    return !name.endsWith('Schema') && !isSchema((maker?.body ?? undefined) as Tree | undefined);
  }
  if (value?.type !== 'NewExpression') return false;
  const { name: made } = value.callee as Tree;
  const isEmpty = (value.arguments as unknown[]).length === 0;
  return stateful.has(String(made)) || (/^(Map|Set)$/.test(String(made)) && isEmpty);
}

/**
 * The names of a file that hold something from one call to the next: variables of the module that are assigned again,
 * maps and sets that are filled later, what `once` keeps (but for schemas), static fields of classes, and whatever the
 * file declares or imports at its top and changes further down. A variable of a function that has the name of one of the
 * module counts as that one.
 */
export function stateOf(program: Program): readonly string[] {
  const shared = new Set<string>();
  const state = new Set<string>();
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration')
      for (const { local } of statement.specifiers) shared.add(local.name);
    const declared =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declared.declarations)
      for (const name of namesIn(id)) {
        shared.add(name);
        const isNew = isStateful(name, plainValue((init ?? undefined) as Tree | undefined));
        if (declared.kind !== 'const' || isNew) state.add(name);
      }
  }
  for (const [node] of nodesOf(program.body)) {
    const changed = changedBy(node);
    if (changed !== undefined && shared.has(changed)) state.add(changed);
    if (node.type === 'PropertyDefinition' && node.static === true)
      state.add(String((node.key as Tree).name));
  }
  return [...state].sort();
}
