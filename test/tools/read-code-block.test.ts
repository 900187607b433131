import { describe, expect, it } from 'vitest';
import { mergeReads } from '../../src/agent/loop/loop.ts';
import { decodeReply } from '../../src/model/protocols/xml.ts';
import { buildGrammar, renderGrammar } from '../../src/model/protocols/xml-grammar.ts';
import { finish } from '../../src/tools/finish.ts';
import { grep } from '../../src/tools/grep.ts';
import { readCodeBlock } from '../../src/tools/read-code-block.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { playCalls } from './play.ts';

const claims = async (args: object) => {
  const parsed = readCodeBlock.parse(args);
  return parsed.ok ? parsed.call.claims({} as ToolContext) : parsed.problems;
};
const call = (id: string, args: object, name = 'read_code_block') => ({
  id,
  name,
  argumentsText: JSON.stringify(args),
});

describe('arguments of read_code_block', () => {
  const one = [{ kind: 'read', path: 'a.js', range: { startLine: 3, endLine: 3 } }];
  it('may be one request without a list, and may carry the reasoning', async () => {
    const read = { file_path: 'a.js', start_line: 3 };
    expect(await claims(read)).toEqual(one);
    expect(await claims({ ...read, reason: 'I need it.' })).toEqual(one);
    expect(await claims({ requests: [read], reason: 'x' })).toEqual(one);
    expect(await claims({ file_path: 'a.js', symbol_name: 'f' })).toEqual([
      { kind: 'read', path: 'a.js' },
    ]);
  });

  it.each([
    [{ file_path: 'a.js', requests: [] }],
    [{ start_line: 3 }],
    [{ file_path: 'a.js', other: 1 }],
    [{ requests: [{ file_path: 'a.js', reason: 'x' }] }],
    [{ requests: [{ file_path: 'a.js' }], reason: 7 }],
    [['a.js']],
    [null],
  ])('do not fit as %j', args => {
    expect(readCodeBlock.parse(args).ok).toBe(false);
  });

  it('are as many in one call as the definition says', async () => {
    const requests = readCodeBlock.definition.parameters.properties as {
      requests: { maxItems: number };
    };
    const { maxItems } = requests.requests;
    const reads = (count: number) => ({
      requests: Array.from({ length: count }, () => ({ file_path: 'a.js' })),
    });
    expect(readCodeBlock.parse(reads(maxItems)).ok).toBe(true);
    expect(await claims(reads(maxItems + 1))).toEqual([
      expect.stringContaining(`at most ${maxItems} entries`),
    ]);
  });

  it('are not described in the definition', () => {
    expect(JSON.stringify(readCodeBlock.definition.parameters)).not.toContain('reason');
    expect(finish.parse({ reason: 'It is done.' }).ok).toBe(true);
    expect(finish.parse({ reason: 1 }).ok).toBe(false);
  });
});

describe('the same in tags', () => {
  const grammar = buildGrammar([readCodeBlock.definition, grep.definition]);
  const decoded = (text: string) => {
    const reply = { text, calls: [], finishReason: 'stop' as const };
    const answer = decodeReply({ ...reply, usage: { inputTokens: 1, outputTokens: 1 } }, grammar);
    return 'turn' in answer
      ? answer.turn.calls.map(c => JSON.parse(c.argumentsText) as unknown)
      : answer.problems.map(p => p.code);
  };
  it('is accepted and not described', () => {
    expect(renderGrammar(grammar)).not.toContain('<reason>');
    expect(
      decoded(
        '<read_code_block><file_path>a</file_path><start_line>3</start_line></read_code_block>',
      ),
    ).toEqual([{ file_path: 'a', start_line: 3 }]);
    expect(decoded('<grep><pattern>x</pattern><reason>I look for x.</reason></grep>')).toEqual([
      { pattern: 'x', reason: 'I look for x.' },
    ]);
  });

  it('what is missing is still missing', () => {
    expect(decoded('<read_code_block></read_code_block>')).toEqual(['LIBRARIAN_PARSE_FAILED']);
    expect(decoded('<grep><reason>I look for x.</reason></grep>')).toEqual([
      'LIBRARIAN_PARSE_FAILED',
    ]);
  });
});

describe('reads of one reply', () => {
  const a = { file_path: 'a.js' };
  const b = { file_path: 'b.js', start_line: 2 };
  const shape = (calls: Parameters<typeof mergeReads>[0]) =>
    mergeReads(calls).map(m => [m.call.id, m.answers.map(c => c.id).join(' ')]);

  it('side by side are one call, in either form', () => {
    const [merged, ...others] = mergeReads([call('1', { requests: [a] }), call('2', b)]);
    expect(others).toEqual([]);
    expect(JSON.parse(merged?.call.argumentsText ?? '')).toEqual({ requests: [a, b] });
    expect(merged?.answers.map(c => c.id)).toEqual(['1', '2']);
  });

  it('stay apart around another call, with invalid arguments, and past what a call can hold', () => {
    expect(shape([call('1', a), call('2', { pattern: 'x' }, 'grep'), call('3', b)])).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ]);
    expect(shape([call('1', a), call('2', { path: 'a' }), call('3', b), call('4', b)])).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['3', '3 4'],
    ]);
    const broken = { ...call('2', {}), argumentsText: '{"requests": ' };
    expect(shape([call('1', a), broken, call('3', b)]).map(([id]) => id)).toEqual(['1', '2', '3']);
    const eleven = { requests: Array.from({ length: 11 }, () => a) };
    expect(shape([call('1', eleven), call('2', eleven)])).toEqual([
      ['1', '1'],
      ['2', '2'],
    ]);
  });
});

it('a range that another request of the call holds is shown once', async () => {
  const read = (start_line: number, end_line: number) => ({
    file_path: 'a.js',
    start_line,
    end_line,
  });
  const requests = [
    read(2, 3),
    { file_path: 'b.js' },
    read(1, 4),
    read(2, 3),
    { file_path: 'b.js' },
  ];
  const files = { 'a.js': '1\n2\n3\n4\n5\n', 'b.js': 'b\n' };
  const { texts } = await playCalls({ files }, [['read_code_block', { requests }]]);
  expect(texts[0]?.match(/^\S+ L\d+-\d+ /gm)).toEqual(['b.js L1-1 ', 'a.js L1-4 ']);
});

describe('a symbol', () => {
  const files = {
    'a.js': 'function sub(a, b) {\n  return a - b;\n}\n',
    'README.md': 'sub(1, 2)\n'.repeat(12),
    'doc.py': '"""\nsub(1, 2)\n"""\n# sub(1)\nx = 1 # sub(2)\n',
    'notes.js': '// sub(1)\n/* sub(2) */ sub(3);\nlog("sub(4)");\n',
    'test/a.test.js': 'sub(2, 1); // a call on the line of the definition, in another file\n',
    'other.js': 'class Other {\n  sub(a) {\n    return this.sub(a);\n  }\n}\n',
    'use.js': 'test_sub(3);\nsub(3, 1);\n',
  };

  it('comes with its callers: in code alone, tests last, no definitions and no longer names', async () => {
    const read = { file_path: 'a.js', symbol_name: 'sub' };
    const { texts } = await playCalls({ files }, [['read_code_block', { requests: [read] }]]);
    expect(texts[0]).toContain(
      'called by: notes.js:L2, other.js:L3, use.js:L2, test/a.test.js:L1\n',
    );
  });

  it('shows no line of what finds no room, and says so', async () => {
    const text = `${'x'.repeat(70)}\n`.repeat(400);
    const requests = ['a.txt', 'b.txt', 'c.txt'].map(file_path => ({ file_path }));
    const long = { 'a.txt': text, 'b.txt': text, 'c.txt': text };
    const { texts } = await playCalls({ files: long }, [['read_code_block', { requests }]]);
    expect(texts[0]).toMatch(/^c\.txt no line of 400.*\n\n\[cut: L1-400 not shown; /m);
  });

  it('says where its callers are more', async () => {
    const many = { ...files, 'many.js': 'sub(1);\n'.repeat(12) };
    const read = { file_path: 'a.js', symbol_name: 'sub' };
    const { texts } = await playCalls({ files: many }, [['read_code_block', { requests: [read] }]]);
    expect(texts[0]).toMatch(/^called by: (?:\w+\.js:L\d+(?:, )?){10} and more$/m);
  });
});
