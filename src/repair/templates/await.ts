/** Adds a missing `await`, or removes an extra one. */
import { replace } from '../edit.ts';
import { functionAround } from '../scope.ts';
import type { Template } from '../template.ts';

export const awaited: Template = {
  id: 'await',
  title: 'a missing await',
  source:
    'missing await: async bugs of BugsJS (Gyimesi et al. 2019) and of concurrency studies of Node.js (Wang et al. 2017)',
  prior: 0.9,
  *propose({ node, language }) {
    if (/^await(_expression)?$/.test(node.type)) {
      yield replace(node, node.firstNamedChild?.text ?? '', 0.3);
      return;
    }
    if (!language.types.call.has(node.type) || /^await/.test(node.parent?.type ?? '')) return;
    const around = functionAround(node, language);
    const isAsync = around !== null && /^(export\s+)?async\b/.test(around.text);
    if (!isAsync) return;
    const inMember =
      language.types.member.has(node.parent?.type ?? '') ||
      language.types.index.has(node.parent?.type ?? '');
    yield replace(node, inMember ? `(await ${node.text})` : `await ${node.text}`, 1);
    if (/\.map\(/.test(node.text)) yield replace(node, `await Promise.all(${node.text})`, 1);
  },
};
