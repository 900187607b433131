/** Adds the call that undoes another one at the end of its block, such as `pop` for `push`. */
import type { Node } from 'web-tree-sitter';
import { functionAround } from '../scope.ts';
import { getIndent, insertAt, type Template } from '../template.ts';

/** Methods, and those that undo them. The argument is kept if the second name begins with `=`. */
const pairs = new Map([
  ['push', 'pop'],
  ['append', 'pop'],
  ['unshift', 'shift'],
  ['add', '=delete'],
  ['set', '=delete'],
  ['open', 'close'],
  ['acquire', 'release'],
  ['lock', 'unlock'],
  ['start', 'stop'],
  ['begin', 'end'],
  ['enter', 'exit'],
  ['save', 'restore'],
  ['pause', 'resume'],
  ['enable', 'disable'],
]);

const opened = /^([\w$.]+)\.(\w+)\((.*)\);?$/s;

export const pairedCall: Template = {
  id: 'paired-call',
  title: 'a missing call that undoes another one',
  source:
    'missing method calls (Monperrus, Mezini 2013); pairs of calls: PR-Miner (Li, Zhou 2005); Perracotta (Yang et al. 2006)',
  prior: 0.4,
  *propose({ node, language }) {
    const { types } = language;
    if (!types.simple.has(node.type) || !types.block.has(node.parent?.type ?? '')) return;
    const [, object = '', method = '', values = ''] = opened.exec(node.text) ?? [];
    const other = pairs.get(method);
    const around = functionAround(node, language);
    if (other === undefined || around === undefined) return;
    const last = findLastSibling(node);
    const keeps = other.startsWith('=');
    const name = other.replace('=', '');
    const undo = language.name === 'python' && name === 'delete' ? 'discard' : name;
    if (new RegExp(`\\.${undo}\\(`).test(behind(node))) return;
    const call = `${object}.${undo}(${keeps ? findFirstName(values) : ''})${language.tokens.end}`;
    const weight = last.id === node.id ? 0.3 : 1;
    yield leaves.test(last.text)
      ? insertAt(last.startIndex, `${call}\n${getIndent(node)}`, weight)
      : insertAt(last.endIndex, `\n${getIndent(node)}${call}`, weight);
  },
};

const leaves = /^(?:return|throw|raise|break|continue)\b/;
const findFirstName = (values: string) => /^[\w$.'"]+/.exec(values)?.[0] ?? '';

function findLastSibling(node: Node): Node {
  let last = node;
  for (let at = node.nextNamedSibling; at !== null; at = at.nextNamedSibling)
    if (at.type !== 'comment') last = at;
  return last;
}

/** The statements behind one in its block. */
function behind(node: Node): string {
  const { parent } = node;
  return parent === null ? '' : parent.text.slice(node.endIndex - parent.startIndex);
}
