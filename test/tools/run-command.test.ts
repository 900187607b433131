/** The lines of tracked files in the output of a command. */
import { describe, expect, it } from 'vitest';
import { addEvidence } from '../../src/guard/evidence.ts';
import { listLines, toLineRanges } from '../../src/guard/read-lines.ts';
import { countPrinted } from '../../src/tools/run-command.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { evidence } from '../guard/judged.ts';
import { usual } from './play.ts';

const lines = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);
const files: Readonly<Record<string, readonly string[]>> = {
  'src/a.txt': lines(20, 'a'),
  'src/b.txt': ['', 'same', '', 'same'],
};

const context = (mostLines: number, read: readonly number[] = []): ToolContext => {
  const known = toLineRanges(read);
  const evidence = addEvidence(usual.evidence, { kind: 'read', path: 'src/a.txt', lines: known });
  return {
    evidence: read.length === 0 ? usual.evidence : evidence,
    policy: { ...usual.policy, limits: { ...usual.policy.limits, read_lines: mostLines } },
    session: {
      files: async () => Object.keys(files).map(path => ({ path, mode: '100644' })),
      facts: async (path: string) =>
        path in files
          ? { kind: 'file', tracked: true, lines: files[path] }
          : { kind: 'missing', tracked: false, lines: [] },
    },
  } as unknown as ToolContext;
};

const printed = async (command: string, output: string, more = context(500), folder = '') => {
  const { events, ...rest } = await countPrinted({ command, folder }, output, more);
  return {
    ...rest,
    counted: Object.fromEntries(
      events.flatMap(e => (e.kind === 'printed' ? [[e.path, listLines(e.lines)] as const] : [])),
    ),
  };
};

describe('the output of a command', () => {
  const three = 'a 1\na 2\na 3\n';

  it.each([
    ['cat src/a.txt', ''],
    ['cd src && head -3 a.txt', ''],
    ['head -3 a.txt', 'src'],
    ['head -3 src/*.txt', ''],
    ['true; sed -n 1,3p ./src/a.txt | cat', ''],
  ])('counts what %s shows of the file, started in %j', async (command, folder) => {
    const { counted, output } = await printed(command, three, context(500), folder);
    expect(counted).toEqual({ 'src/a.txt': [1, 2, 3] });
    expect(output).toBe(three);
  });

  it('counts numbered lines and those of a search', async () => {
    const output = '     1\ta 1\nsrc/a.txt:2:a 2\n3:a 3\n';
    const { counted } = await printed('cat -n src/a.txt; grep -n a src/a.txt', output);
    expect(counted).toEqual({ 'src/a.txt': [1, 2, 3] });
  });

  it('counts lines that are alike one after the other, and blank ones not at all', async () => {
    const { counted } = await printed('cat src/b.txt', '\nsame\n\nsame\nsame\n');
    expect(counted).toEqual({ 'src/b.txt': [2, 4] });
  });

  it('counts nothing of a file that the line does not name', async () => {
    expect((await printed('make', three)).counted).toEqual({});
    expect((await printed('cat missing.txt "$file"', three)).counted).toEqual({});
  });

  it('holds no more lines of a file than the round may show, with those that were read', async () => {
    const all = `${lines(6, 'a').join('\n')}\nthe end\n`;
    const { counted, output } = await printed('cat src/a.txt', all, context(5, [1, 10, 11]));
    expect(counted).toEqual({ 'src/a.txt': [1, 2, 3] });
    expect(output).toBe(
      'a 1\na 2\na 3\nthe end\n\n[3 lines of src/a.txt left out: a round shows 5 lines of a file]',
    );
  });

  it('makes nothing known, and leads nowhere', async () => {
    const { events } = await countPrinted({ command: 'cat src/a.txt' }, three, context(500));
    const after = events.reduce(addEvidence, evidence);
    expect(after.readThisRound.get('src/a.txt')).toEqual(new Set([1, 2, 3]));
    expect(after.known.size + after.navigatedFiles.size).toBe(0);
  });
});
