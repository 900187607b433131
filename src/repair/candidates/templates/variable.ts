/** Replaces a variable with another one of the same scope. */
import type { Node } from 'web-tree-sitter';
import { getCall, nodeTypes } from '../../languages/language.ts';
import { isMemberName, type ScopedName } from '../scope.ts';
import { replace, type Template } from '../template.ts';

/** Nodes in which a name is declared, not used. */
const namingParents = nodeTypes(
  'formal_parameters parameters lambda_parameters required_parameter optional_parameter import_specifier import_clause dotted_name aliased_import default_parameter typed_parameter labeled_statement',
);

export const variable: Template = {
  id: 'variable',
  title: 'another variable',
  source:
    '"Change Identifier Used" of ManySStuBs4J (Karampatsis, Sutton 2020); TBar FP13 (Liu et al. 2019); variable misuse (Allamanis et al. 2018)',
  prior: 0.7,
  *propose({ node, language, names }) {
    if (!language.types.name.has(node.type) || isMemberName(node, language) || binds(node)) return;
    const isCallee = getCall(node.parent ?? node)?.callee.id === node.id;
    const known = names(node);
    const own = known.find(n => n.name === node.text);
    for (const other of known)
      if (other.name !== node.text && (other.kind === 'function') === isCallee)
        yield replace(node, other.name, weighName(own, other));
  },
};

/** True for a name in its declaration. */
function binds(node: Node): boolean {
  const { parent } = node;
  if (parent === null) return true;
  if (namingParents.has(parent.type)) return parent.childForFieldName('value')?.id !== node.id;
  return ['name', 'parameter', 'alias'].some(f => parent.childForFieldName(f)?.id === node.id);
}

function weighName(own: ScopedName | undefined, other: ScopedName): number {
  if (other.kind === 'function') return 0.3;
  const near = other.depth === 0 ? 1 : other.depth === 1 ? 0.5 : 0.2;
  const alike = own !== undefined && own.kind === other.kind && own.depth === other.depth;
  return near * (alike ? 1 : 0.7);
}
