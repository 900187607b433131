/** pytest is configured once, and each candidate goes on from there; where that could hide a change, each configures it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withAdapter } from '../../../doubles/runner-context.ts';
import { makeFolder } from '../../../harness.ts';
import { needs, pytestPython } from '../../../programs.ts';

const python = pytestPython();
const wrong = 'def total(values):\n    return sum(values) + 1\n';
const right = 'def total(values):\n    return sum(values)\n';

const tests = [
  'import pytest',
  'from total import total',
  '',
  'def test_two(numbers):',
  '    assert total(numbers) == 3',
  '',
  '@pytest.mark.parametrize("values", [[], [0]])',
  'def test_nothing(values, capfd, tmp_path):',
  '    print("seen")',
  '    assert capfd.readouterr().out == "seen\\n"',
  '    (tmp_path / "file").write_text("x")',
  '    assert total(values) >= 0',
  '',
  'class TestMore:',
  '    @pytest.fixture(scope="class", autouse=True)',
  '    def prepared(self):',
  '        yield',
  '    def test_one(self, monkeypatch):',
  '        monkeypatch.setenv("LEFT", "x")',
  '        with pytest.raises(TypeError):',
  '            total(None)',
  '',
].join('\n');

/** The results of candidates, and how often the configuration of the tests was loaded for them. */
async function playedWith(conftest: readonly string[]) {
  const log = join(makeFolder(), 'loads');
  const files = {
    'total.py': wrong,
    'test_total.py': tests,
    'conftest.py': [
      'import pytest',
      `with open(${JSON.stringify(log)}, 'a') as log: log.write('x')`,
      ...conftest,
      '@pytest.fixture(scope="session")',
      'def numbers():',
      '    return [1, 2]',
      '',
    ].join('\n'),
  };
  const loads = () => readFileSync(log, 'utf8').length;
  const results: string[] = [];
  let before = 0;
  const testCommand = `${python} -m pytest -q`;
  await withAdapter({ files, testCommand }, async adapter => {
    results.push(adapter.name);
    const runner = await adapter.open();
    const run = async (text: string, bail: boolean) => {
      const { cases, ended } = await runner.run({
        files: { 'total.py': text },
        stages: [
          { tests: ['test_total.py'], only: ['test_total.py > test_two'] },
          { tests: ['test_total.py'], only: null },
        ],
        bail,
        coverage: false,
      });
      return `${ended}: ${cases.map(c => c.status).join(' ')}`;
    };
    await run(wrong, true);
    before = loads();
    results.push(await run(right, true), await run(wrong, true), await run(right, true));
    results.push(await run('def total(values:\n', true));
    runner.close();
  });
  return { results, loads: loads() - before };
}

const expected = [
  'pytest, warm',
  'done: passed passed passed passed passed',
  'done: failed',
  'done: passed passed passed passed passed',
  'done: failed',
];

describe.runIf(python !== undefined)(`a session of pytest ${needs('pytest')}`, () => {
  it('is configured once for all candidates', async () => {
    const { results, loads } = await playedWith([]);
    expect(results).toEqual(expected);
    expect(loads).toBe(0);
  });

  it('is configured for each candidate if the configuration loads the project', async () => {
    const { results, loads } = await playedWith(['import total']);
    // pytest collects nothing where its configuration does not load
    expect(results).toEqual([...expected.slice(0, -1), 'done: ']);
    // once for each stage that ran
    expect(loads).toBe(7);
  });

  it('shows the values of a failed assertion for each candidate', async () => {
    const files = {
      'total.py': wrong,
      'test_total.py': 'from total import total\ndef test_two():\n    assert total([1, 2]) == 3\n',
    };
    await withAdapter({ files, testCommand: `${python} -m pytest -q` }, async adapter => {
      const runner = await adapter.open();
      const stages = [{ tests: ['test_total.py'], only: ['test_total.py > test_two'] }];
      const seen = [];
      for (const text of [wrong, wrong.replace('+ 1', '+ 2'), wrong]) {
        const job = { files: { 'total.py': text }, stages, bail: true, coverage: false };
        const { cases } = await runner.run(job);
        seen.push(cases[0]?.message?.split('\n')[0]);
      }
      runner.close();
      const base = adapter.base[0]?.message?.split('\n')[0];
      expect(seen).toEqual([base, 'AssertionError: assert 5 == 3', base]);
      expect(base).toBe('AssertionError: assert 4 == 3');
    });
  });
});
