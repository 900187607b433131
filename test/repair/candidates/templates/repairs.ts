/** What the tests of the templates share: the texts that candidates lead to, and how rows are played. */
import { describe, expect, it } from 'vitest';
import { openSymbols } from '../../../../src/navigation/symbols.ts';
import { rankCandidates } from '../../../../src/repair/candidates/candidate-pool.ts';
import {
  type Candidate,
  type Source,
  streamCandidates,
} from '../../../../src/repair/candidates/candidates.ts';
import { applyTextEdits } from '../../../../src/repair/candidates/edit.ts';
import type { Template } from '../../../../src/repair/candidates/template.ts';
import { openShipped } from '../../../../src/workspace/trusted/shipped.ts';
import { root } from '../../../harness.ts';

export const symbols = openSymbols(openShipped(root));

/** The candidates of all templates for a text. Every line is suspicious, unless `more` says otherwise. */
export async function candidatesIn(
  path: string,
  text: string,
  more: Partial<Source> = {},
): Promise<readonly Candidate[]> {
  const lines = new Map(text.split('\n').map((_, i) => [i + 1, 1]));
  const source = { path, text, lines, ...more };
  return (
    (await symbols.withTree(path, text, tree => [...streamCandidates({ source, root: tree })])) ??
    []
  );
}

/** Texts that the candidates of one template (or of all) lead to; every line is suspicious. */
export async function textsOf(
  path: string,
  text: string,
  template?: string,
): Promise<readonly string[]> {
  const made = await candidatesIn(path, text);
  const ranked = rankCandidates(
    made.filter(c => template === undefined || c.template.id === template),
    new Map([[path, text]]),
  );
  return ranked.map(c => applyTextEdits(text, c.edits));
}

export const js = (body: string) => `function f(list, n, other) {\n${body}\n}\n`;

export const py = (body: string) => `def f(items, n, other):\n${body}\n`;

const inFunction = { js, py };

/**
 * Plays each row: a file, its text, and the text of the repair that is among those of the template. A row with a language in place
 * of a file has bodies of a function in place of texts.
 */
export function playRepairs(
  template: Template,
  rows: readonly (readonly [place: string, from: string, to: string])[],
): void {
  describe(`the template ${template.id}`, () => {
    it.each(rows)('in %s', async (place, from, to) => {
      const isWhole = place !== 'js' && place !== 'py';
      const whole = isWhole ? (text: string) => text : inFunction[place];
      const path = isWhole ? place : `a.${place}`;
      expect(await textsOf(path, whole(from), template.id)).toContain(whole(to));
    });
  });
}
