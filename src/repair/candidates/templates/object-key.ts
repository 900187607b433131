/** Changes the keys of an object literal or pattern, keyword arguments, and the order of what is spread. */
import type { Node } from 'web-tree-sitter';
import { type EditProposal, exchange, replace, replaceRange } from '../edit.ts';
import type { Site, Template } from '../template.ts';

const maxKeys = 25;

export const objectKey: Template = {
  id: 'object-key',
  title: 'other keys of an object',
  source:
    '"Change Identifier Used", "Change Caller in Function Call" of ManySStuBs4J (Karampatsis, Sutton 2020); keyword arguments of PySStuBs (Kamienski et al. 2021); TBar FP9 (Liu et al. 2019)',
  prior: 0.4,
  *propose(site) {
    const { node } = site;
    if (/^(object|dictionary|object_pattern)$/.test(node.type)) yield* whole(site);
    if (/^(pair|pair_pattern|keyword_argument)$/.test(node.type)) yield* renamed(site);
    if (/^shorthand_property_identifier(_pattern)?$/.test(node.type)) yield* unfolded(site);
  },
};

/** Another order of spread objects, values of two keys exchanged, a key left out or added. */
function* whole({ node, names, language }: Site): Iterable<EditProposal> {
  const parts = node.namedChildren.filter((c): c is Node => c !== null && c.type !== 'comment');
  const isSpread = (part: Node) => /^(spread_element|dictionary_splat)$/.test(part.type);
  for (const [i, one] of parts.entries()) {
    const next = parts[i + 1];
    if (next && (isSpread(one) || isSpread(next))) yield exchange(one, next, 1);
    for (const other of parts.slice(i + 1)) {
      const [a, b] = [one.childForFieldName('value'), other.childForFieldName('value')];
      if (a && b && a.text !== b.text) yield exchange(a, b, 0.6);
    }
  }
  const inner: readonly [number, number] = [node.startIndex + 1, node.endIndex - 1];
  const texts = parts.map(p => p.text);
  const blank = node.type !== 'dictionary' ? ' ' : '';
  const write = (all: readonly string[], weight: number) =>
    replaceRange(inner, all.length === 0 ? '' : `${blank}${all.join(', ')}${blank}`, weight);
  if (node.text.includes('\n')) return;
  if (texts.length > 1)
    for (const i of texts.keys())
      yield write(
        texts.filter((_, j) => j !== i),
        0.2,
      );
  if (node.type === 'object_pattern') return;
  for (const { name, kind, local } of names(node).slice(0, 10)) {
    if (!local || kind === 'function' || texts.includes(name)) continue;
    if (language.name === 'script') yield write([...texts, name], 0.4);
    else yield write([...texts, `'${name}': ${name}`], 0.3);
  }
}

/** Another key for the same value. */
function* renamed({ node, ingredients, language }: Site): Iterable<EditProposal> {
  const key = node.childForFieldName(node.type === 'keyword_argument' ? 'name' : 'key');
  if (key === null || !/^(property_identifier|identifier)$/.test(key.type)) return;
  const callee = node.parent?.parent && language.getCall(node.parent.parent)?.callee.text;
  const known = ingredients.signatures.get((callee ?? '').replace(/^.*\./, ''));
  const others =
    node.type === 'keyword_argument' ? (known ?? []) : (ingredients.members.get('') ?? []);
  for (const other of others.slice(0, maxKeys))
    if (other !== key.text) yield replace(key, other, known === undefined ? 0.3 : 0.8);
}

/** `{ name }` becomes `{ name: other }`, and as a pattern `{ other: name }`. */
function* unfolded({ node, names, ingredients }: Site): Iterable<EditProposal> {
  if (node.type === 'shorthand_property_identifier_pattern') {
    for (const other of (ingredients.members.get('') ?? []).slice(0, maxKeys))
      if (other !== node.text) yield replace(node, `${other}: ${node.text}`, 0.3);
    return;
  }
  for (const { name, kind, local } of names(node).slice(0, 10))
    if (local && kind !== 'function' && name !== node.text)
      yield replace(node, `${node.text}: ${name}`, 0.5);
  for (const other of (ingredients.members.get('') ?? []).slice(0, maxKeys))
    if (other !== node.text) yield replace(node, `${other}: ${node.text}`, 0.2);
}
