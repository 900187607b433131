import { expect, it } from 'vitest';
import { plantCanary } from '../../../src/ecosystems/python/canary.ts';

const token = 't0123456789';
const plant = (command: string, path: string) =>
  plantCanary({ words: command.split(' '), path, text: 'import app\n', token });

it.each([
  ['pytest -q tests', 'tests/test_a.py', 'pytest -q tests/test_t0123456789_a.py'],
  ['python3 -m pytest', 'tests/a_test.py', 'python3 -m pytest tests/t0123456789_a_test.py'],
  ['python3 -m unittest', 'tests/test_a.py', 'python3 -m unittest discover -p *t0123456789_*.py'],
  [
    'python -m unittest discover -v tests',
    'tests/test_a.py',
    'python -m unittest discover -v -s tests -p *t0123456789_*.py',
  ],
])('%s runs the copy of %s alone', (command, path, words) =>
  expect(plant(command, path)?.words.join(' ')).toBe(words),
);

it.each([
  ['python3 -m unittest tests.test_a', 'tests/test_a.py'],
  ['python3 tests/test_a.py', 'tests/test_a.py'],
  ['pytest', 'tests/data.txt'],
  ['pytest tests/test_a.py::test_one', 'tests/test_a.py'],
])('%s has none for %s', (command, path) => expect(plant(command, path)).toBeUndefined());

it('a function without a class is a case of pytest alone', () => {
  expect(plant('pytest', 'tests/test_a.py')?.text).toContain('\ndef test_t0123456789plain():');
  expect(plant('python3 -m unittest', 'tests/test_a.py')?.text).not.toContain('\ndef test_');
});

it('every case has a name that no other has', () => {
  const { text = '', assertions = [], builtins = '' } = plant('pytest', 'tests/test_a.py') ?? {};
  for (const name of [...assertions, builtins]) expect(text.split(`def ${name}(`)).toHaveLength(2);
});
