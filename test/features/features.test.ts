import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shownRequirements } from '../generated/requirements-matrix.ts';
import { root } from '../harness.ts';
import { ruleMutants } from '../mutation/rule-mutants.ts';
import { playFeatures } from './play.ts';
import { requirements, shippedSentences } from './requirements.ts';
import { features, scenarios } from './scenarios.ts';
import { steps } from './steps/index.ts';

playFeatures(0);

describe('the map of the constitution', () => {
  const all = scenarios();

  it.each(shownRequirements().map(r => [r.id, r] as const))('%s has a scenario', (_id, row) => {
    expect(row.proofs, row.demands).not.toEqual([]);
  });

  it('breaks what is enforced or excepted, each once', () => {
    const broken = new Set(ruleMutants.map(m => m.demand));
    const unbroken = shownRequirements().filter(
      r => r.state !== 'prompt' && !broken.has(r.shownBy),
    );
    expect([...new Set(unbroken.map(r => r.shownBy))]).toEqual([]);
  });

  it('names tests that there are', () => {
    const named = Object.values(requirements).flatMap(r => r.tests ?? []);
    const missing = named.filter(test => {
      const [, file = '', name = ''] = /^(test\/\S+): (.+)$/.exec(test) ?? [];
      return (
        !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(name)
      );
    });
    expect(missing).toEqual([]);
  });

  it('every scenario says what it shows', () => {
    const unknown = all.filter(s => s.tags.length === 0 || s.tags.some(t => !(t in requirements)));
    expect(unknown).toEqual([]);
  });

  it('has a row for each sentence of the constitution as shipped', () => {
    const text = readFileSync(join(root, 'constitution', 'photon.md'), 'utf8');
    const prose = text.slice(text.indexOf('# Constitution of Photon')).split('\n').slice(1);
    const sentences = prose
      .map(line => line.replace(/^\d+\. /, ''))
      .join('\n')
      .split(/(?<=\.)\s+/)
      .map(s => s.trim())
      .filter(s => s !== '');
    expect(shippedSentences.map(([s]) => s)).toEqual(sentences);
    const ids = shippedSentences.flatMap(([, names]) => names);
    expect(ids.filter(id => !(id in requirements))).toEqual([]);
  });

  it('says one thing of a row: code holds it, the prompt asks for it, or Photon does something else', () => {
    const both = Object.entries(requirements).filter(
      ([, r]) => r.prompt !== undefined && r.except !== undefined,
    );
    expect(both.map(([id]) => id)).toEqual([]);
  });

  it.each(ruleMutants.map(m => [m.demand, m] as const))(
    '%s can be broken by an edit of one place, and a scenario of it is named',
    (demand, { file, find, test }) => {
      expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
      const tagged = all.filter(s => s.tags.includes(demand)).map(s => s.name);
      expect([...tagged, ...(requirements[demand]?.tests ?? [])]).toContain(test);
    },
  );

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
