/** Commands of pytest and unittest for some of the tests: those likely to fail with a patch, and a canary. Pure. */
import { besidePath, type Canary, type CanaryPlace, changeExpectations } from '../shared/canary.ts';
import {
  type EarlyScope,
  type FileWords,
  positionals,
  runsTests,
  type Selection,
  selectFiles,
} from '../shared/select.ts';

/** The canary for a test file; undefined for a command or a file of another kind. */
export function plantCanary({ words, path, text, token }: CanaryPlace): Canary | undefined {
  const copy = besidePath(path, token);
  const pattern = `*${token}_*.py`;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const pytest = withoutFiles(words);
  const run = !path.endsWith('.py')
    ? undefined
    : pytest !== undefined
      ? [...pytest.words, copy]
      : wordsOfUnittest(words, pattern);
  if (run === undefined) return undefined;
  const statements = [
    'self.assertEqual(1, 2)',
    'self.assertTrue(False)',
    'self.assertIs(1, None)',
    'self.assertIn(1, [])',
    'self.assertListEqual([1], [2])',
    'self.assertDictEqual({1: 1}, {1: 2})',
    'self.assertAlmostEqual(1, 2)',
    'self.assertRaises(ValueError, int)',
    "raise ValueError('as it must')",
    'assert 1 == 2',
  ];
  const names = statements.map((_, i) => `test_${token}a${i}z`);
  const builtins = `test_${token}builtins`;
  const other = `${token}other`;
  const changed = changeExpectations(text, { calls: expected, cases, other });
  const folder = `.${token}`;
  const added = [
    `import builtins as ${token}b, math as ${token}m, unittest as ${token}u`,
    `class Test${token}(${token}u.TestCase):`,
    ...statements.map((statement, i) => `    def ${names[i]}(self):\n        ${statement}`),
    `    def ${builtins}(self):`,
    `        names = '${checked}'.split()`,
    `        if all(type(getattr(${token}b, n)) is type(len) for n in names) and type(${token}m.floor) is type(len):`,
    "            raise ValueError('as it must')",
    pytest === undefined ? [] : [`def test_${token}plain():`, '    assert 1 == 2'],
  ].flat();
  return {
    path: copy,
    text: `${text}\n\n${added.join('\n')}\n`,
    words: run,
    original: run.map(word => (word === copy ? path : word === pattern ? name : word)),
    assertions: pytest === undefined ? names : [...names, `test_${token}plain`],
    builtins,
    changed: {
      ...changed,
      text: `${changed.text}\n\ndef ${other}(value):\n    if type(value) in (int, float) and value + 12345.5 != value:\n        return value + 12345.5\n    return ('other', value)\n`,
    },
    clock: { env: [`PYTHONPATH=${folder}`], files: { [`${folder}/sitecustomize.py`]: clock } },
  };
}

/** What the tests expect, in the assertions of unittest and in plain ones. */
const expected = [
  {
    call: /\bself\.assert(?:Is|Equals|(?:Almost|List|Dict|Set|Tuple|Sequence|Count|MultiLine)?Equal)\(/g,
    at: 1,
  },
  { call: /\bself\.assertIn\(/g, at: 0 },
  {
    call: /^[ \t]+assert (?!.*\b(?:and|or|not)\b)(?:[^\n=!<>#'"]|=(?![= ])|'[^'\n]*'|"[^"\n]*")+ == /gm,
    at: 0,
  },
];
const cases = /^[ \t]*(?:async )?def (test\w*)/gm;

/** Another day, and a process that has run for one. */
const clock = `import functools, time
def later(name, more):
    read = getattr(time, name)
    setattr(time, name, functools.wraps(read)(lambda: read() + more))
day = 86400
later('time', 400 * day)
later('time_ns', 400 * day * 10**9)
for name in ('monotonic', 'perf_counter', 'process_time'):
    later(name, day)
    later(name + '_ns', day * 10**9)
`;

const checked = 'abs all any len max min pow repr round sorted sum isinstance getattr hasattr';

/** Discovery finds the copy where it finds the original. */
function wordsOfUnittest(words: readonly string[], pattern: string): readonly string[] | undefined {
  const at = words.indexOf('unittest');
  if (at < 0 || words[at - 1] !== '-m' || !/(^|\/)python[\d.]*$/.test(words[0] ?? ''))
    return undefined;
  const rest = words.slice(at + 1).filter(w => w !== 'discover');
  const { flags, files } = positionals(
    rest,
    /^(-s|-t|-p|-k|--start-directory|--top-level-directory|--pattern)$/,
  );
  const start = words.includes('discover') ? files : files.filter(f => f.endsWith('/'));
  if (start.length > 1 || files.length > start.length) return undefined;
  const folder = start.flatMap(f => ['-s', f]);
  return [...words.slice(0, at + 1), 'discover', ...flags, ...folder, '-p', pattern];
}

const testFile = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;

/** The words for pytest; undefined for another command. */
export function selectEarly(
  words: readonly string[],
  scope: EarlyScope,
): Promise<Selection> | undefined {
  const plain = withoutFiles(words);
  return plain === undefined
    ? undefined
    : selectFiles(plain, scope, path => testFile.test(path) && runsTests(path));
}

/** The words of pytest, without files; undefined for another command. */
function withoutFiles(words: readonly string[]): FileWords | undefined {
  const at = words.findIndex(w => /^(\S*\/)?(pytest|py\.test)$/.test(w));
  const isModule = words[at - 1] === '-m' && /(^|\/)python[\d.]*$/.test(words[at - 2] ?? '');
  if (at < 0 || (at > 0 && !isModule)) return undefined;
  const rest = positionals(words.slice(at + 1), /^(-k|-m|-n|-p|-c|-o|-W|--\w[\w-]*)$/);
  // a node id names a case, and not a file
  if (rest.files.some(f => f.includes('::'))) return undefined;
  return { words: [...words.slice(0, at + 1), ...rest.flags], files: rest.files };
}
