import { describe, expect, it } from 'vitest';
import { plainCommand, shellLine } from '../../../src/ecosystems/commands/parse-command.ts';
import { parseNodeTest } from '../../../src/ecosystems/javascript/node-command.ts';
import { parsePython } from '../../../src/repair/runners/adapters/python.ts';

describe('test commands', () => {
  it('knows node:test, unittest and pytest', () => {
    const of = (line: string) => plainCommand(line, undefined) ?? { env: [], words: [] };
    expect(parseNodeTest(of('node --import tsx --test --test-reporter dot src'))).toEqual({
      flags: ['--import', 'tsx'],
      testFlags: [],
      files: ['src'],
    });
    expect(parseNodeTest(of('node index.js'))).toBeUndefined();
    expect(parsePython(of('python3 -m unittest discover -s tests -v'))).toMatchObject({
      kind: 'unittest',
      start: 'tests',
      names: [],
    });
    expect(parsePython(of('python3 -m unittest tests.test_a'))).toMatchObject({
      names: ['tests.test_a'],
    });
    expect(parsePython(of('pytest -x -k slow -n 4 tests'))).toMatchObject({
      kind: 'pytest',
      flags: ['-k', 'slow'],
      names: ['tests'],
      cwdOnPath: false,
    });
    expect(parsePython(of('python3 run.py'))).toBeUndefined();
    expect(parsePython(of('.venv/bin/pytest -q'))).toMatchObject({ python: '.venv/bin/python' });
    for (const front of ['uv run', 'uv run --frozen --extra test', 'poetry run', 'pipenv run -q']) {
      const plain = of(`${front} pytest tests`);
      expect(plain).toEqual({ env: [], front: front.split(' '), words: ['pytest', 'tests'] });
      expect(parsePython(plain)).toMatchObject({ python: 'python', names: ['tests'] });
      expect(shellLine(plain)).toBe(`${front} pytest tests`);
    }
    expect(of('uv run').words).toEqual(['uv', 'run']);
  });
});
