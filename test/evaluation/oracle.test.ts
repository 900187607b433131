import { describe, expect, it } from 'vitest';
import { oracleModel } from '../../src/evaluation/oracle.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import { applyEdits } from '../../src/workspace/text/edits.ts';
import { parseTextFile, renderTextFile } from '../../src/workspace/text/text-file.ts';

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

  const long = '-\n'.repeat(300);
  it.each<[string, string | Uint8Array, string | Uint8Array, boolean | undefined]>([
    ['changes the last line, which stays without a newline', `${long}1`, `${long}2`, undefined],
    ['adds lines behind it', `${long}1`, `${long}1\n2\n3`, undefined],
    ['takes the newline from a line that stays', `${long}1\n`, `${long}1`, false],
    ['gives it to a line that stays', `${long}1`, `${long}1\n`, true],
    ['gives it with another change', `1\n${long}1`, `2\n${long}1\n`, true],
    ['deletes what stands before an end without a newline', `${long}1\n2`, `${long}1`, undefined],
    ['fills an empty file', '', '1', false],
    ['keeps CRLF', `${long}1\r\n2`, `${long}1\r\n3`, undefined],
    [
      'keeps Latin-1',
      Buffer.from('\xe9\n1', 'latin1'),
      Buffer.from('\xe9\n2', 'latin1'),
      undefined,
    ],
  ])('%s, by edits that give exactly the file', async (_name, before, after, finalNewline) => {
    const bytes = (text: string | Uint8Array) => ({
      mode: '100644' as const,
      bytes: Buffer.from(text),
    });
    const names = await play([{ path: 'a.js', before: bytes(before), after: bytes(after) }]);
    const patch = names.find(name => name.startsWith('apply_patch')) ?? '';
    const [written] = JSON.parse(patch.slice('apply_patch '.length)).files;
    const plan = names.find(name => name.startsWith('plan')) ?? '';
    expect(JSON.parse(plan.slice('plan '.length)).max_changed_lines).toBe(100);
    expect(written.final_newline).toBe(finalNewline);
    const edits = written.edits.map(
      (e: { start_line: number; end_line: number; content: string }) => ({
        startLine: e.start_line,
        endLine: e.end_line,
        content: e.content,
      }),
    );
    const text = parseTextFile(Buffer.from(before));
    if (text === 'binary') throw new Error('not text');
    const made = applyEdits(text, edits, { finalNewline });
    expect(made.ok && Buffer.from(renderTextFile(made.file))).toEqual(Buffer.from(after));
  });

  it('plans for all lines of a file that it writes as a whole', async () => {
    const lines = (word: string) =>
      Array.from({ length: 500 }, (_, i) => `${i % 2 ? word : i}\n`).join('');
    const names = await play([{ path: 'a.js', before: file(lines('a')), after: file(lines('b')) }]);
    const plan = names.find(name => name.startsWith('plan')) ?? '';
    expect(JSON.parse(plan.slice('plan '.length)).max_changed_lines).toBe(1000);
    expect(names.find(name => name.startsWith('apply_patch'))).toContain('"content":"0\\nb');
  });

  const written = async (...fix: Parameters<typeof oracleModel>[0]) => {
    const patch = (await play(fix)).find(name => name.startsWith('apply_patch'));
    return patch === undefined ? [] : JSON.parse(patch.slice('apply_patch '.length)).files;
  };

  it.each<[string, FileChange]>([
    ['adds a binary file', { path: 'a.png', before: undefined, after: file('\0') }],
    ['deletes a binary file', { path: 'a.png', before: file('\0'), after: undefined }],
    [
      'adds a link',
      { path: 'l', before: undefined, after: { mode: '120000', bytes: Buffer.from('a.js') } },
    ],
    [
      'replaces a link by a file',
      { path: 'l', before: { mode: '120000', bytes: Buffer.from('a.js') }, after: file('1\n') },
    ],
    [
      'makes a file executable, which no edit does',
      { path: 's', before: file('1\n'), after: { ...file('1\n'), mode: '100755' } },
    ],
    [
      'changes line ends, which a file keeps',
      { path: 'w', before: file('1\r\n2\r\n'), after: file('1\n2\n') },
    ],
    [
      'adds a Latin-1 file, which would be written as UTF-8',
      {
        path: 'l1',
        before: undefined,
        after: { mode: '100644', bytes: Buffer.from('\xe9\n', 'latin1') },
      },
    ],
  ])('leaves out what no tool can write and plays the rest: it %s', async (_name, odd) => {
    expect((await written(odd, change)).map((f: { path: string }) => f.path)).toEqual(['a.js']);
    expect((await play([odd])).at(-1)).toContain(`The tools cannot write what the fix changes in`);
  });

  it('writes the text of a file whose mode it cannot give', async () => {
    const script = { path: 's', after: { ...file('1\n2'), mode: '100755' as const } };
    expect(await written({ ...script, before: undefined })).toEqual([
      { path: 's', content: '1\n2' },
    ]);
    expect(await written({ ...script, before: file('1\n') })).toEqual([
      {
        path: 's',
        edits: [{ start_line: 2, end_line: 1, content: '2\n' }],
        final_newline: false,
      },
    ]);
  });

  it('writes a Latin-1 file as a whole in its own characters', async () => {
    const lines = (word: string) =>
      Array.from({ length: 500 }, (_, i) => `${i % 2 ? word : i}\n`).join('');
    const latin = (word: string) => ({
      mode: '100644' as const,
      bytes: Buffer.from(lines(word), 'latin1'),
    });
    const content = lines('\xe8');
    expect(await written({ path: 'a', before: latin('\xe9'), after: latin('\xe8') })).toEqual([
      { path: 'a', content },
    ]);
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
