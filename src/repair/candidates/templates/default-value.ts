/** Creates a mutable default value for each call, instead of one that all calls share. */
import type { Node } from 'web-tree-sitter';
import { getParameters, type LanguageAdapter } from '../../languages/language.ts';
import {
  type EditProposal,
  getIndent,
  insertAt,
  insertBefore,
  joinProposals,
  replace,
  type Template,
} from '../template.ts';

/** Adds a default value to the last parameters that have none. */
function* missing(node: Node, language: LanguageAdapter): Iterable<EditProposal> {
  if (!language.types.function.has(node.type)) return;
  const parameters = getParameters(node);
  const values =
    language.name === 'python'
      ? ['None', '0', '1', "''", '()', 'False', 'True']
      : ['0', '1', "''", '[]', '{}', 'null', 'false', 'true'];
  const plain = /^(identifier|required_parameter|typed_parameter|object_pattern|array_pattern)$/;
  for (const [i, p] of parameters.entries()) {
    if (!plain.test(p.type) || /^(self|cls|this)$/.test(p.text) || p.childForFieldName('value'))
      continue;
    // in Python, parameters with a default value are the last ones
    const behind = language.name === 'python' ? parameters.slice(i + 1) : [];
    const also = behind.filter(o => /^(identifier|typed_parameter)$/.test(o.type));
    if (also.length > 0) {
      // the parameters behind it have to get one, too
      for (const value of also.length === behind.length ? values : [])
        yield joinProposals(
          [p, ...also].map(o =>
            insertAt(o.endIndex, `${o.type === 'identifier' ? '=' : ' = '}${value}`),
          ),
          0.2 / also.length,
        );
      continue;
    }
    const isBare = language.name === 'python' && p.type === 'identifier';
    const isSingle = p.parent?.type === 'arrow_function';
    for (const value of values)
      yield replace(
        p,
        isSingle ? `(${p.text} = ${value})` : p.text + (isBare ? '=' : ' = ') + value,
        0.2,
      );
  }
}

export const defaultValue: Template = {
  id: 'default-value',
  title: 'a missing default value, or one that all calls share',
  source:
    'mutable default arguments: Pylint W0102; BugsInPy (Widyasari et al. 2020); TBar FP9 (Liu et al. 2019)',
  prior: 0.8,
  *propose({ node, language }) {
    yield* missing(node, language);
    if (language.name !== 'python' || node.type !== 'function_definition') return;
    const body = node.childForFieldName('body');
    const first = body?.namedChildren.find(c => c !== null && !/^("""|''')/.test(c.text));
    if (first === undefined) return;
    for (const p of getParameters(node)) {
      const [name, value] = [p.childForFieldName('name'), p.childForFieldName('value')];
      if (
        name === null ||
        value === null ||
        !/^(\[.*\]|\{.*\}|set\(.*\)|list\(.*\)|dict\(.*\))$/s.test(value.text)
      )
        continue;
      const start = `if ${name.text} is None:\n${getIndent(first)}    ${name.text} = ${value.text}`;
      yield joinProposals([replace(value, 'None'), insertBefore(first, start)], 1);
    }
  },
};
