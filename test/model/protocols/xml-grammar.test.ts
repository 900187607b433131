/** The grammar of instructions that the tools define. */
import { describe, expect, it } from 'vitest';
import { type Form, renderGrammar } from '../../../src/model/protocols/xml-grammar.ts';
import { xmlBounds } from '../../../src/model/protocols/xml-problems.ts';
import { grammar } from './xml-replies.ts';

describe('calls as instruction tags', () => {
  it('no tool nests deeper than the protocol allows, and none needs JSON', () => {
    const depth = (form: Form): number =>
      form.kind === 'leaf'
        ? 0
        : 1 + Math.max(0, ...[...form.children.values()].map(c => depth(c.form)));
    for (const { form, name } of grammar.values())
      expect(depth(form) + 1, name).toBeLessThanOrEqual(xmlBounds.depth);
    expect(renderGrammar(grammar)).not.toMatch(/> json|>[?*+] json/);
  });
});
