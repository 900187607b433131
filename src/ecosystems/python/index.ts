/** Python. */
import { posix } from 'node:path';
import { sum } from '../../base/plural.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { CheckoutFiles, Ecosystem, ModuleFiles } from '../ecosystem.ts';
import {
  type Cases,
  countsInLine,
  failedCase,
  firstLine,
  ifComplete,
  numberAfter,
  numberBefore,
  type RunnerOutput,
  type TestRunnerOutput,
} from '../shared/output.ts';
import type { ProjectFiles } from '../shared/project-files.ts';
import { plantCanary, selectEarly } from './canary.ts';
import { findCheats } from './cheats.ts';
import { configuredTools, guessedTools } from './detect.ts';
import { packageLists } from './packages.ts';

/** Modules that the test runners load: a file of that name in the root folder would replace them. */
const loadedByRunners = new Set(
  'argparse ast atexit collections contextlib copy dataclasses datetime difflib doctest enum fnmatch functools gc glob importlib inspect io json linecache locale logging math operator os pathlib pdb pickle platform pprint queue random re runpy select selectors shlex shutil signal site socket stat string struct subprocess sys sysconfig tempfile textwrap threading time timeit token tokenize traceback types typing unittest uuid warnings weakref pytest _pytest pluggy iniconfig packaging hypothesis nose nose2 tox coverage'.split(
    ' ',
  ),
);

/** True for a new file in the root folder that Python finds before the module of that name. */
function shadows({ path, before }: FileChange): boolean {
  const name = /^(?:src\/)?(\w+)(?:\.py|\/__init__\.py)$/.exec(path)?.[1];
  return before === undefined && name !== undefined && loadedByRunners.has(name);
}

/** `-m unittest app.tests`, `-m pytest tests`, `-m app.check`. */
function readModule(program: string, words: readonly string[]): ModuleFiles | undefined {
  const at = words.indexOf('-m');
  if (!program.startsWith('python') || at < 0) return undefined;
  const [module = '', ...rest] = words.slice(at + 1);
  const files = (name: string) => {
    const path = name.replaceAll('.', '/');
    return [name, `${path}.py`, `${path}/__main__.py`, `${path.replace(/\/\w+$/, '')}.py`];
  };
  const plain = rest.filter(w => !w.startsWith('-'));
  if (/^(?:unittest|pytest|nose2?)$/.test(module))
    return { names: plain.flatMap(w => (w.includes('/') ? [w] : files(w))) };
  return { starts: files(module) };
}

function failuresOfUnittest(printed: TestRunnerOutput): Cases | undefined {
  const failures = printed.lines.flatMap((line, i) => {
    const found = /^(?:FAIL|ERROR|(UNEXPECTED SUCCESS)): (\S.*)$/.exec(line);
    const [, isListed, id] = found ?? [];
    const isHeading = isListed !== undefined || /^=+$/.test(printed.lines[i - 1] ?? '');
    return id !== undefined && isHeading ? [failedCase(id)] : [];
  });
  return ifComplete(failures, printed);
}

/** The short summary; a subtest has the name of its case and what tells it from the others. */
function failuresOfPytest(printed: TestRunnerOutput): Cases | undefined {
  const failures = printed.lines.flatMap(line => {
    const found =
      /^(?:FAILED|ERROR|SUBFAIL(?:ED)?((?:\[[^\]]*\])? ?(?:\([^)]*\))?)) (\S.*?)(?: - .*)?$/.exec(
        line,
      );
    const [, own = '', id] = found ?? [];
    return id === undefined ? [] : [failedCase(`${id} ${own}`.trim())];
  });
  return ifComplete(failures, printed);
}

/** How the test runners report without options: checked with pytest 9. */
const runners: readonly RunnerOutput[] = [
  {
    runner: 'pytest',
    failure: /^_{3,} (\S.*?) _{3,}$/,
    // plugins add counts with words of their own
    line: /^(?=.*\d (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)\b)(?:=+ )?\d+ [a-z][^,]*(?:, \d+ [a-z][^,]*)* in [\d.]+s\b/,
    count: text => {
      const { ran, failed } = countsInLine(text);
      const subtests = numberBefore(firstLine(text), 'subtests failed');
      return { ran, failed: failed + subtests };
    },
    // a subtest that fails counts, and one that passes does not
    outsideCases: /^SUBFAIL/,
    nothing: [/^(?:=+ )?no tests ran in [\d.]+s\b/],
    // the short summary, which lists failures and errors
    failed: failuresOfPytest,
  },
  {
    runner: 'unittest',
    failure: /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S.*)$/,
    line: /^Ran \d+ tests? in [\d.]+s$/,
    count: text => {
      const counted = ['(?<!expected )failures=', 'errors=', 'unexpected successes='];
      const failed = sum(counted.map(word => numberAfter(text, word)));
      const skipped = numberAfter(text, 'skipped=');
      return { ran: numberAfter(text, 'Ran ') - skipped, failed };
    },
    failed: failuresOfUnittest,
  },
];

/** The sections of an INI or TOML text whose heading matches. */
const pickSections = (heading: RegExp) => (text: string) =>
  text
    .split(/^(?=\[)/m)
    .filter(s => heading.test(s))
    .join('');

const testFile = /(^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/;
const maxTestFiles = 40;

/** The packages that test files import, without those of the project. */
async function listImports({ paths, read }: ProjectFiles): Promise<readonly string[]> {
  const own = new Set(paths.flatMap(path => path.replace(/\.py$/, '').split('/')));
  const texts = await Promise.all(
    paths
      .filter(p => testFile.test(p))
      .slice(0, maxTestFiles)
      .map(read),
  );
  const found = texts.flatMap(text => [
    ...(text ?? '').matchAll(/^(?:import|from) ([a-z_]\w*)/gim),
  ]);
  return [...new Set(['pytest', ...found.map(([, name = '']) => name)])].filter(n => !own.has(n));
}

/** An environment that is tracked came with the repository, and is nobody's. */
function inEnvironment(part: string, folder: string, { paths, exists }: CheckoutFiles): string {
  const [, words] = /^python3?( .*)$/.exec(part.replace(/^(?=pytest\b)/, 'python3 -m ')) ?? [];
  if (words === undefined) return part;
  const [, module = 'unittest'] = /^ -m (\S+)/.exec(words) ?? [];
  const program = module === 'unittest' ? 'python' : module;
  const places = [folder, ''].flatMap(at => ['.venv', 'venv'].map(name => posix.join(at, name)));
  const place = places.find(
    at =>
      !paths.some(path => path === at || path.startsWith(`${at}/`)) &&
      ['python', program].every(name => exists(`${at}/bin/${name}`)),
  );
  return place === undefined ? part : `${posix.relative(folder, place)}/bin/python${words}`;
}

export const python: Ecosystem = {
  packageLists,
  packages: [
    {
      starts: /^(?:pytest|py\.test)\b/,
      unless: /\bvenv\/|\b(?:uvx?|poetry|pdm|pipenv|rye|pixi|hatch|tox|nox|conda)\b/,
      program: 'python3',
      needs: listImports,
      places: [],
      ask: [
        '-c',
        'import sys, importlib.util as u; print(*[n for n in sys.argv[1:] if u.find_spec(n) is None])',
      ],
    },
  ],
  name: 'Python',
  detection: {
    manifests:
      /^(?:pyproject\.toml|setup\.py|requirements\.txt|Pipfile|pytest\.ini|noxfile\.py|tox\.(?:ini|toml)|manage\.py)$/,
    sources: { Python: /\.py$/ },
    configured: configuredTools,
    guessed: guessedTools,
  },
  paths: {
    '@tests': [/(^|\/)(test_[^/]*|[^/]*_test)\.py$/i, /(^|\/)conftest\.py$/i],
    '@test-config': [/(^|\/)(pytest\.ini|tox\.ini|noxfile\.py)$/],
    '@check-config': [
      /(^|\/)\.?(flake8|pylintrc|ruff\.toml|mypy\.ini|pyrightconfig\.json)$/i,
      /(^|\/)\.?pyre_configuration$/i,
    ],
    '@manifests': [
      /(^|\/)(requirements|constraints)[^/]*\.(txt|in)$/,
      /(^|\/)(requirements|constraints)\/[^/]*\.(txt|in)$/,
      /(^|\/)(pyproject|Pipfile)\.toml$/,
      /(^|\/)(setup\.(py|cfg)|Pipfile|environment\.ya?ml)$/,
    ],
  },
  testCode: {
    libraries: [/^[ \t]*(?:import|from)\s+(?:unittest|_?pytest|hypothesis|nose2?|doctest)\b/m],
    definitions: [/^[ \t]*(?:async )?def (test\w*)\s*\(/gm],
    exits: [
      /\bos\s*\.\s*(?:_exit|abort|kill|exec\w+)\s*\(|\bfrom\s+os\s+import\b.*\b_exit\b/,
      /\bsys\s*\.\s*exit\s*\(\s*0?\s*\)|\braise\s+SystemExit\b(?:\s*\(\s*0?\s*\))?\s*$/m,
      /\batexit\s*\.\s*register\s*\(/,
    ],
    cheats: findCheats,
  },
  influence: {
    installed: [
      /(^|\/)(site-packages|dist-packages|\.?venv|\.tox|\.nox)\//,
      /(^|\/)(sitecustomize|usercustomize)\.py$|\.pth$/,
    ],
    shadows,
    sections: {
      'pyproject.toml': pickSections(/^\[tool\.(pytest|tox|coverage|nox)/),
      'setup.cfg': pickSections(/^\[(tool:pytest|tox|coverage)/),
    },
  },
  commands: {
    starts: [
      /^(?:\S*\/)?(?:pytest|py\.test)\b/,
      /^(?:\S*\/)?python[\d.]* .*-m (pytest|unittest)\b/,
      /^unittest\b/,
      /^(tox|nox|trial|stestr|nose2)\b/,
      /^python[\d.]* (?:-\S+ )*\S*(manage\.py test|setup\.py test|run_?tests?\.py)\b/,
    ],
    runners: ['pytest', 'py.test', 'nose2'],
    loads: [/^(?:-c|--rcfile)$/],
    readModule,
    installers: [
      /(?:python3? -m )?pip3? install(?: (?:-r|-e|--group) \S+| [A-Za-z][\w.+-]*)+/,
      /uv sync(?: (?:--extra|--group) [\w-]+| --[\w-]+)*/,
      /uv pip install (?:-r|-e) \S+/,
      /poetry install(?: (?:--extras|--with) [\w-]+)*/,
      /pdm (?:install|sync)(?: -G [\w-]+)*/,
      /pipenv (?:install|sync)/,
    ],
    lacksRunner: output => /^\S*python[\d.]*: No module named (?:pytest|tox|nox)$/m.test(output),
  },
  runners,
  selectEarly,
  plantCanary,
  inEnvironment,
  missing: [/No module named '?([\w.]{1,200})'?/g],
};
