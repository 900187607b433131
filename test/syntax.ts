/** What a source file declares and names, read with a real parser. */
import { readFileSync } from 'node:fs';
import { type BindingPattern, type BindingRestElement, type Program, parseSync } from 'oxc-parser';

type Tree = { readonly type: string } & Readonly<Record<string, unknown>>;

/** @throws Error when the file does not parse. */
export function parseSource(path: string): Program {
  const { program, errors } = parseSync(path, readFileSync(path, 'utf8'));
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  return program;
}

/** Every node below a node, with the node above it. */
function* nodesOf(
  value: unknown,
  above: Tree | null = null,
): Generator<readonly [Tree, Tree | null]> {
  if (Array.isArray(value)) {
    for (const each of value) yield* nodesOf(each, above);
    return;
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return;
  const node = value as Tree;
  yield [node, above];
  for (const child of Object.values(node)) yield* nodesOf(child, node);
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

/** Names that a file exports and declares itself; what it passes on from another file is left out. */
export function exportedNames(program: Program): readonly string[] {
  const imported = new Set(
    program.body.flatMap(statement =>
      statement.type === 'ImportDeclaration' ? statement.specifiers.map(s => s.local.name) : [],
    ),
  );
  return program.body.flatMap(statement => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source !== null) return [];
    const { declaration } = statement;
    if (declaration === null)
      return statement.specifiers.flatMap(({ local, exported }) => {
        const isOwn = 'name' in local && !imported.has(local.name);
        return isOwn && 'name' in exported ? [exported.name] : [];
      });
    if (declaration.type !== 'VariableDeclaration')
      return 'id' in declaration && declaration.id !== null && 'name' in declaration.id
        ? [declaration.id.name]
        : [];
    return declaration.declarations.flatMap(({ id }) => namesIn(id));
  });
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
