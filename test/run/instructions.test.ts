/** The instructions of a repository for agents: which files join, when, from where, and within which bounds. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/base/outcome.ts';
import { begin, look, repairScript, sampleFiles } from '../doubles/sample.ts';
import { giveUp } from '../doubles/steps.ts';
import { play, type Scenario } from './scenario.ts';

const files = {
  'AGENTS.md': 'Root word: alder.\n<!-- hidden word: birch -->\nUse two\u200b spaces.\n',
  'CLAUDE.md': '@AGENTS.md\n',
  '.github/copilot-instructions.md': 'Copilot word: cedar.\n',
  '.github/instructions/price.instructions.md':
    '---\napplyTo: "docs/**,src/*.{js,ts}"\n---\nPattern word: dogwood.\n',
  '.github/instructions/docs.instructions.md': '---\napplyTo: "docs/**"\n---\nOther word: elder.\n',
  '.github/instructions/review.instructions.md':
    '---\napplyTo: "**"\nexcludeAgent: "coding-agent"\n---\nReview word: fir.\n',
  'src/AGENTS.md': 'Nested word: hazel.\n',
  'src/CLAUDE.md': 'See @rules/style.md for more, and `@rules/no.md`.\n',
  'src/rules/style.md': 'Imported word: juniper.\n',
  'src/rules/no.md': 'Quoted word: larch.\n',
  'test/AGENTS.md': 'Far word: maple.\n',
};

interface Told {
  readonly first: string;
  readonly last: string;
  readonly outcome: Outcome;
}

async function told(scenario: Partial<Scenario>): Promise<Told> {
  let found: Told | undefined;
  await play({ script: [begin, look, giveUp], ...scenario }, ({ model, outcome }) => {
    const texts = model.requests.map(r => JSON.stringify(r.body.messages));
    found = { first: texts[0] ?? '', last: texts.at(-1) ?? '', outcome };
  });
  if (found === undefined) throw new Error('the run was not looked at');
  return found;
}

const pathsIn = ({ instructions = [] }: Outcome) => instructions.map(i => i.path);

describe('the instructions of the repository', () => {
  it('join at the start for the whole repository, and for a path when the run reads it', async () => {
    const { first, last, outcome } = await told({ files });
    for (const word of ['alder', 'cedar']) expect(first).toContain(word);
    for (const word of ['dogwood', 'hazel', 'juniper']) {
      expect(first).not.toContain(word);
      expect(last).toContain(word);
    }
    for (const word of ['birch', 'elder', 'fir.', 'larch', 'maple', '\u200b'])
      expect(last).not.toContain(word);
    expect(pathsIn(outcome)).toEqual([
      '.github/copilot-instructions.md',
      'AGENTS.md',
      '.github/instructions/price.instructions.md',
      'src/AGENTS.md',
      'src/CLAUDE.md',
      'src/rules/style.md',
    ]);
    for (const { sha256 } of outcome.instructions ?? []) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    // the comment of the AGENTS.md and the space without width
    expect(outcome.hiddenRemoved).toBeGreaterThan(20);
  });

  it('come from the trusted branch, and a patch that changes them has no effect', async () => {
    const { last, outcome } = await told({
      files: { 'AGENTS.md': 'Root word: alder.\n' },
      arrange: github => {
        github.store.push('feature', {
          ...sampleFiles,
          'AGENTS.md': 'Evil word: nettle.\n',
          'src/AGENTS.md': 'Nested evil: hemlock.\n',
        });
      },
      checkout: 'feature',
      ref: 'refs/heads/feature',
    });
    expect(last).toContain('alder');
    expect(last).not.toMatch(/nettle|hemlock/);
    expect(pathsIn(outcome)).toEqual(['AGENTS.md']);
  });

  it('are bounded, file by file and all together, and the rest is named', async () => {
    const long = `${'word '.repeat(10_000)}\n`;
    const many = ['', 'a/', 'a/b/', 'src/'].map(folder => [`${folder}AGENTS.md`, folder + long]);
    const imports = { 'CLAUDE.md': '@a/AGENTS.md\n\n@a/b/AGENTS.md\n\n@/etc/passwd @../x @~/y\n' };
    const { last, outcome } = await told({ files: { ...Object.fromEntries(many), ...imports } });
    expect(pathsIn(outcome)).toEqual(['AGENTS.md', 'CLAUDE.md', 'a/AGENTS.md']);
    expect(outcome.notes.join('\n')).toContain('a/b/AGENTS.md was not shown to the model');
    expect(Buffer.byteLength(last)).toBeLessThan(50_000);
  });

  it('are named in the statement and the summary of a run that delivers', async () => {
    await play({ script: repairScript, files }, ({ outcome, summary, ledger }) => {
      expect(outcome.code).toBe('COMMITTED');
      expect(summary).toContain('Instructions of the repository: ');
      const read = ledger.filter(e => e.tool === 'instructions.read').flatMap(e => e.paths);
      expect(read).toEqual(pathsIn(outcome));
    });
  });
});
