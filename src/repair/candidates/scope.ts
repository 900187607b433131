/** Finds the names that can be used at a place, from the declarations around it, nearest first. Pure. */
import type { Node } from 'web-tree-sitter';
import { getParameters, type LanguageAdapter, nodeTypes } from '../languages/language.ts';

export interface ScopedName {
  readonly name: string;
  /** Number of functions between the place and the declaration; 0 is the innermost. */
  readonly depth: number;
  /** True for a name of a function around the place, or of the module for a place outside of functions. */
  readonly local: boolean;
  readonly kind: 'parameter' | 'variable' | 'function';
}

const patterns = nodeTypes(
  'expression_list array_pattern object_pattern pattern_list tuple_pattern list_pattern assignment_pattern rest_pattern pair_pattern object_assignment_pattern list_splat_pattern dictionary_splat_pattern default_parameter typed_parameter typed_default_parameter required_parameter optional_parameter as_pattern_target',
);
const nameTypes = nodeTypes('identifier shorthand_property_identifier_pattern');

/** The names that a pattern binds. */
function boundBy(pattern: Node | undefined): readonly string[] {
  if (pattern === undefined) return [];
  if (nameTypes.has(pattern.type)) return [pattern.text];
  if (!patterns.has(pattern.type)) return [];
  const named =
    pattern.childForFieldName('name') ??
    pattern.childForFieldName('pattern') ??
    (pattern.type === 'pair_pattern' ? pattern.childForFieldName('value') : null) ??
    (/assignment_pattern$/.test(pattern.type) ? pattern.childForFieldName('left') : null);
  if (named !== null) return boundBy(named);
  return pattern.namedChildren.flatMap(c => boundBy(c));
}

/** The field with the names that a node of this type declares. */
const declaring: Readonly<Record<string, string>> = {
  variable_declarator: 'name',
  for_in_statement: 'left',
  assignment: 'left',
  for_statement: 'left',
  for_in_clause: 'left',
  named_expression: 'name',
  catch_clause: 'parameter',
  as_pattern: 'alias',
};
const namedDeclarations = nodeTypes(
  'function_declaration function_definition class_declaration class_definition generator_function_declaration',
);
const imports = nodeTypes(
  'import_specifier namespace_import import_clause aliased_import dotted_name',
);

/** The declarations of a function or module, without those of inner functions. */
function declaredIn(
  root: Node,
  language: LanguageAdapter,
): readonly { name: string; at: number; kind: ScopedName['kind'] }[] {
  const found: { name: string; at: number; kind: ScopedName['kind'] }[] = [];
  const visit = (node: Node) => {
    for (const child of node.namedChildren) {
      if (child === null) continue;
      const field = declaring[child.type];
      if (field !== undefined)
        for (const name of boundBy(child.childForFieldName(field) ?? undefined))
          found.push({ name, at: child.startIndex, kind: 'variable' });
      if (namedDeclarations.has(child.type)) {
        const name = child.childForFieldName('name')?.text;
        if (name !== undefined) found.push({ name, at: 0, kind: 'function' });
      }
      if (imports.has(child.type)) {
        const name = (child.childForFieldName('alias') ?? child.childForFieldName('name') ?? child)
          .text;
        if (/^[\w$]+$/.test(name)) found.push({ name, at: 0, kind: 'function' });
      }
      if (!language.types.function.has(child.type) && !/^class/.test(child.type)) visit(child);
    }
  };
  visit(root);
  return found;
}

/** Opens the scopes of one tree. The declarations of each function are read once. */
export function openScopes(language: LanguageAdapter): (node: Node) => readonly ScopedName[] {
  const known = new Map<number, ReturnType<typeof declaredIn>>();
  const listDeclared = (root: Node) => {
    const found = known.get(root.id) ?? declaredIn(root, language);
    known.set(root.id, found);
    return found;
  };
  const namesAt = (node: Node): readonly ScopedName[] => {
    const names = new Map<string, ScopedName>();
    const end = node.endIndex;
    let depth = 0;
    for (let at: Node | undefined = node; at !== undefined; at = at.parent ?? undefined) {
      const isFunction = language.types.function.has(at.type);
      if (!isFunction && at.parent !== null) continue;
      const local = isFunction || depth === 0;
      for (const p of isFunction ? getParameters(at) : [])
        for (const name of boundBy(p))
          if (!names.has(name)) names.set(name, { name, depth, local, kind: 'parameter' });
      for (const { name, at: from, kind } of listDeclared(at))
        if (!names.has(name) && (from < end || depth > 0))
          names.set(name, { name, depth, local, kind });
      depth += 1;
    }
    return [...names.values()];
  };
  // many templates ask for the names at one node
  let last: { readonly id: number; readonly names: readonly ScopedName[] } | undefined;
  return node => {
    if (last?.id !== node.id) last = { id: node.id, names: namesAt(node) };
    return last.names;
  };
}

/** The parameters and variables of the function around a place. */
export const localVariables = (names: readonly ScopedName[]): readonly ScopedName[] =>
  names.filter(n => n.local && n.kind !== 'function');

/** Finds a name where it stands for itself, and not for a member. */
export const matchName = (name: string) =>
  new RegExp(`(?<![\\w$.])${RegExp.escape(name)}(?![\\w$])`, 'g');

/** The name of the innermost named function around a place; empty at the top of the file. */
export function symbolAt(root: Node, index: number, language: LanguageAdapter): string {
  const at = root.descendantForIndex(index);
  for (
    let node: Node | undefined = at ?? undefined;
    node !== undefined;
    node = node.parent ?? undefined
  ) {
    const name = language.types.function.has(node.type) ? findName(node) : '';
    if (name !== '') return name;
  }
  return '';
}

/** The name of a function, or of the variable or property that it is assigned to; otherwise empty. */
function findName(node: Node): string {
  const { parent } = node;
  const name =
    node.childForFieldName('name') ??
    parent?.childForFieldName(fieldOfName[parent.type] ?? 'none') ??
    null;
  return name !== null && /^[\p{L}\p{N}_$#]+$/u.test(name.text) ? name.text : '';
}

/** The field with the name of a function inside a node of this type. */
const fieldOfName: Readonly<Record<string, string>> = {
  variable_declarator: 'name',
  assignment_expression: 'left',
  pair: 'key',
  field_definition: 'property',
  public_field_definition: 'name',
};

/** True for what a statement assigns to or declares, and so does not read. */
export function isTarget(node: Node): boolean {
  const { parent } = node;
  if (
    parent === null ||
    !/assign|declarator|^for_|update_expression|keyword_argument/.test(parent.type)
  )
    return false;
  const target =
    parent.childForFieldName('left') ??
    parent.childForFieldName('name') ??
    parent.childForFieldName('argument');
  return target?.id === node.id;
}

/** The names that a node uses, without properties. */
export function listNames(node: Node, language: LanguageAdapter): readonly string[] {
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
