import { describe, expect, it } from 'vitest';
import { oracleModel } from '../../src/evaluation/oracle.ts';

describe('the oracle', () => {
  const file = (text: string) => ({ mode: '100644' as const, bytes: Buffer.from(text) });
  const change = { path: 'a.js', before: file('1\n2\n3\n'), after: file('1\n3\n\n4\n') };
  const request = (texts: readonly string[]) => ({
    messages: texts.map(text => ({ role: 'user' as const, text })),
    tools: [],
    maxOutputTokens: 1000,
    retries: { maxRetries: 0, firstMs: 0, maxMs: 0 } as never,
  });
  const play = async (fix: Parameters<typeof oracleModel>[0], texts: readonly string[] = []) => {
    const model = oracleModel(fix);
    const names: string[] = [];
    for (let calls = 0; calls < 20 && !/finish|abstain/.test(names.at(-1) ?? ''); calls++) {
      const turn = await model.complete(request(calls === 3 ? texts : []), AbortSignal.abort());
      for (const { name, argumentsText } of turn.calls) names.push(`${name} ${argumentsText}`);
    }
    return names;
  };

  it('writes removed, added and empty lines as edits of the lines before', async () => {
    const names = await play([change]);
    const patch = names.find(name => name.startsWith('apply_patch')) ?? '';
    expect(JSON.parse(patch.slice('apply_patch '.length))).toEqual({
      files: [
        {
          path: 'a.js',
          edits: [
            { start_line: 2, end_line: 2, content: '' },
            { start_line: 4, end_line: 3, content: '\n4\n' },
          ],
        },
      ],
    });
    expect(names.map(name => name.split(' ')[0])).toEqual(
      'skill_activate plan list_project_files read_code_block apply_patch verify finish'.split(' '),
    );
  });

  it('gives up a fix that no tool can write', async () => {
    const image = { path: 'a.png', before: undefined, after: file('\u0000\u0001') };
    expect((await play([image]))[0]).toContain('abstain');
    const link = {
      path: 'l',
      before: undefined,
      after: { ...file('a.js'), mode: '120000' as const },
    };
    expect((await play([link]))[0]).toContain('abstain');
    const refused = ['PATH_PROTECTED: a.js is protected by a.js'];
    expect((await play([change], refused)).at(-1)).toContain('abstain');
  });
});
