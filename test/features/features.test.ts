import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pickle } from '@cucumber/messages';
import { describe, expect, it } from 'vitest';
import { isXml, root } from '../harness.ts';
import { requirements, shippedSentences } from './requirements.ts';
import { features, scenarios, toolCallsOnly } from './scenarios.ts';
import { findStep, steps } from './steps/index.ts';
import { World } from './world.ts';

/** In tags, a reply of the others is refused before the guard: test/run/xml-replies.test.ts. */
const sayable = features
  .map(({ title, pickles }) => ({
    title,
    pickles: pickles.filter(p => !(isXml && p.tags.some(t => t.name === `@${toolCallsOnly}`))),
  }))
  .filter(({ pickles }) => pickles.length > 0);

describe.each(sayable)('$title', ({ pickles }) => {
  it.each(pickles.map((p, i) => [`${p.name} (${i + 1})`, p] as const))(
    '%s',
    async (_name, pickle) => {
      const world = new World();
      try {
        for (const { text, argument } of pickle.steps) {
          const { run, args } = findStep(text);
          await run(world, ...args, ...extraOf(argument));
        }
      } finally {
        expect(await world.close()).toEqual([]);
      }
    },
  );
});

function extraOf(argument: Pickle['steps'][number]['argument']): unknown[] {
  if (argument?.dataTable !== undefined)
    return [argument.dataTable.rows.map(row => row.cells.map(cell => cell.value))];
  return argument?.docString === undefined ? [] : [argument.docString.content];
}

describe('the map of the constitution', () => {
  const all = scenarios();

  it.each(Object.entries(requirements))('%s has a scenario, or says what is missing', (id, row) => {
    const found = all.filter(s => s.tags.includes(id));
    expect(found.length > 0, row.demands).toBe(row.missing === undefined);
  });

  it('every scenario says what it shows', () => {
    const unknown = all.filter(s => s.tags.length === 0 || s.tags.some(t => !(t in requirements)));
    expect(unknown).toEqual([]);
  });

  it('has a row for each sentence of the constitution as shipped', () => {
    const text = readFileSync(join(root, 'constitution', 'photon.md'), 'utf8');
    const prose = text.slice(text.indexOf('# Constitution of Photon')).split('\n').slice(1);
    const sentences = prose
      .map(line => line.replace(/^\d+\. (\*\*[^*]+\*\*) ?/, ''))
      .join('\n')
      .split(/(?<=\.)\s+/)
      .map(s => s.trim())
      .filter(s => s !== '');
    expect(shippedSentences.map(([s]) => s)).toEqual(sentences);
    const ids = shippedSentences.flatMap(([, names]) => names);
    expect(ids.filter(id => !(id in requirements))).toEqual([]);
  });

  it('names what is not built yet, and nothing else', () => {
    const missing = Object.entries(requirements).filter(([, r]) => r.missing !== undefined);
    expect(missing.map(([id]) => id)).toEqual([]);
  });

  it('has a feature for every section of both documents', () => {
    const files = features.map(f => f.file);
    for (let section = 0; section <= 12; section++)
      expect(
        files.filter(f => f.startsWith(`constitution-${`${section}`.padStart(2, '0')}`)),
      ).toHaveLength(1);
    for (let section = 1; section <= 5; section++)
      expect(files.filter(f => f.startsWith(`fpf-${section}-`))).toHaveLength(1);
    expect(files).toContain('fpf-invariants.feature');
  });

  it('uses the phrases of the testing dictionary', () => {
    const phrases = [
      'the agent plans with FunctionGemma',
      'reading {string} inside the session',
      'the guard decision should be {string}',
      'the dispatcher requests {string}',
      'the explanation should mention {string}',
    ];
    for (const phrase of phrases) expect(steps.some(s => s.text.startsWith(phrase))).toBe(true);
  });

  it('has no step that no scenario uses', () => {
    const texts = features.flatMap(f => f.pickles.flatMap(p => p.steps.map(s => s.text)));
    const unused = steps.filter(s => !texts.some(t => s.expression.match(t) !== null));
    expect(unused.map(s => s.text)).toEqual([]);
  });
});
