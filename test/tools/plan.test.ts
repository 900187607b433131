/** plan records what a run may change. */
import { describe, expect, it } from 'vitest';
import { plan } from '../../src/tools/plan.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { callTool } from './play.ts';

const session = {
  files: async () => ['a.js', 'b.js', 'lib/price.js'].map(path => ({ path, mode: '100644' })),
} as unknown as ToolContext['session'];
const callPlan = (args: object) => callTool(plan, args, { session });

const stated = { entry_symbols: ['f'], affected_files: ['a.js', 'b.js'], scope: 'two files' };

describe('plan', () => {
  it('allows 100 changed lines when it states no number', async () => {
    expect(await callPlan(stated)).toMatchObject({
      claims: [{ kind: 'plan', files: ['a.js', 'b.js'], maxChangedLines: 100 }],
      text: 'Plan recorded: 2 files, at most 100 changed lines.',
      events: [
        {
          kind: 'planned',
          affectedFiles: ['a.js', 'b.js'],
          maxChangedLines: 100,
          text: { entrySymbols: ['f'], scope: 'two files' },
        },
      ],
    });
  });

  it('allows the number that it states', async () => {
    const { claims, events } = await callPlan({ ...stated, max_changed_lines: 7 });
    expect(claims).toMatchObject([{ maxChangedLines: 7 }]);
    expect(events).toMatchObject([{ maxChangedLines: 7 }]);
  });

  it('may name no file, for a question', async () => {
    const { claims, text } = await callPlan({ ...stated, affected_files: [] });
    expect(claims).toMatchObject([{ kind: 'plan', files: [] }]);
    expect(text).toBe('Plan recorded: no files, so nothing can be changed.');
  });

  it('says which of its keys it does not record', async () => {
    const { text } = await callPlan({ ...stated, steps: ['change it'] });
    expect(text).toContain('Not part of a plan, so not recorded: steps');
  });

  it('says which of its files it cannot permit', async () => {
    const { text } = await callPlan({ ...stated, affected_files: ['/work/a.js', 'a.js'] });
    expect(text).toBe(
      'Plan recorded: 2 files, at most 100 changed lines.\nNot a path from the root of the repository, so it permits nothing: /work/a.js',
    );
  });

  it('says which of its files do not exist, with similar paths', async () => {
    const { text } = await callPlan({
      ...stated,
      affected_files: ['a.js', './src/price.js', 'n.md'],
    });
    expect(text).toBe(
      [
        'Plan recorded: 3 files, at most 100 changed lines.',
        'New, since it does not exist: src/price.js; similar paths: lib/price.js',
        'New, since it does not exist: n.md',
      ].join('\n'),
    );
  });

  it('tells the model which list must not be empty', () => {
    const { properties } = plan.definition.parameters as { properties: Record<string, object> };
    expect(properties.entry_symbols).toMatchObject({ minItems: 1 });
    expect(properties.affected_files).not.toHaveProperty('minItems');
  });

  it.each([
    ['no symbol', { entry_symbols: [] }, '/entry_symbols'],
    ['too many lines', { max_changed_lines: 5001 }, '/max_changed_lines'],
  ])('is refused with %s', async (_name, more, at) => {
    const { problems } = await callPlan({ ...stated, ...more });
    expect(problems).toEqual([expect.stringMatching(`^${at}: `)]);
  });
});
