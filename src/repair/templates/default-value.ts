/** Creates a mutable default value for each call, instead of one that all calls share. */
import type { Template } from '../template.ts';

export const defaultValue: Template = {
  id: 'default-value',
  title: 'a mutable default value made anew for each call',
  source: 'mutable default arguments: Pylint W0102; BugsInPy (Widyasari et al. 2020)',
  prior: 0.8,
  *propose({ node, language }) {
    if (language.name !== 'python' || node.type !== 'function_definition') return;
    const body = language.bodyOf(node);
    const first = body?.namedChildren.find(c => c !== null && !/^("""|''')/.test(c.text)) ?? null;
    if (first === null) return;
    for (const p of language.parametersOf(node)) {
      const [name, value] = [p.childForFieldName('name'), p.childForFieldName('value')];
      if (
        name === null ||
        value === null ||
        !/^(\[.*\]|\{.*\}|set\(.*\)|list\(.*\)|dict\(.*\))$/s.test(value.text)
      )
        continue;
      const indent = ' '.repeat(first.startPosition.column);
      const text = `if ${name.text} is None:\n${indent}    ${name.text} = ${value.text}\n${indent}`;
      yield {
        edits: [
          { start: value.startIndex, end: value.endIndex, text: 'None' },
          { start: first.startIndex, end: first.startIndex, text },
        ],
        weight: 1,
      };
    }
  },
};
