/** Layouts of Python. */
import { type Expected, type Layout, layout } from './layout.ts';

const pyTest = { 'tests/test_a.py': 'import pytest\n' };
const pytestTable = '[tool.pytest.ini_options]\n';

const pytest = (because: string, test: string, setup: string): Expected => [
  'pytest (configured)',
  because,
  test,
  setup,
];

export const python: readonly Layout[] = [
  layout(
    'uv',
    { 'uv.lock': '', 'pyproject.toml': `[project]\n${pytestTable}` },
    pytest('pyproject.toml', 'uv run pytest', 'uv sync --frozen'),
  ),
  layout(
    'uv without a lock file, with an extra for tests',
    {
      'pyproject.toml':
        '[project]\n[project.optional-dependencies]\ntest = ["pytest"]\n[tool.uv]\n',
      ...pyTest,
    },
    ['pytest', 'tests/test_a.py', 'uv run pytest', 'uv sync --extra test'],
  ),
  layout(
    'uv with groups and a workspace',
    {
      'uv.lock': '',
      'pyproject.toml': `[dependency-groups]\ndev = []\ntests = ["pytest"]\n[tool.uv.workspace]\nmembers = ["a"]\n${pytestTable}`,
    },
    pytest('pyproject.toml', 'uv run pytest', 'uv sync --frozen --all-packages --group tests'),
  ),
  layout(
    'poetry',
    { 'pyproject.toml': `[tool.poetry]\nname = "a"\n${pytestTable}`, 'poetry.lock': '' },
    pytest('pyproject.toml', 'poetry run pytest', 'poetry install'),
  ),
  layout(
    'poetry with an optional group',
    {
      'pyproject.toml': `[tool.poetry]\n[tool.poetry.group.test]\noptional = true\n${pytestTable}`,
    },
    pytest('pyproject.toml', 'poetry run pytest', 'poetry install --with test'),
  ),
  layout(
    'poetry and tox: pytest is narrower',
    { 'pyproject.toml': `[tool.poetry]\n${pytestTable}`, 'tox.ini': '[tox]\n' },
    pytest('pyproject.toml', 'poetry run pytest', 'poetry install'),
  ),
  layout('pdm', { 'pdm.lock': '', 'pyproject.toml': '[project]\n', ...pyTest }, [
    'pytest',
    'tests/test_a.py',
    'pdm run pytest',
    'pdm install',
  ]),
  layout(
    'pdm as build backend only',
    {
      'pyproject.toml': '[project]\n[tool.pdm]\nversion = { source = "file" }\n',
      'requirements-tests.txt': 'pytest\n',
      ...pyTest,
    },
    [
      'pytest',
      'tests/test_a.py',
      'python3 -m pytest',
      'python3 -m pip install -r requirements-tests.txt -e .',
    ],
  ),
  layout('pipenv', { Pipfile: '[dev-packages]\npytest = "*"\n', 'Pipfile.lock': '', ...pyTest }, [
    'pytest',
    'tests/test_a.py',
    'pipenv run pytest',
    'pipenv sync --dev',
  ]),
  // tomlkit: a tox.ini that nobody runs any more, beside poetry (https://python-poetry.org/docs/pyproject)
  layout(
    'poetry with a tox.ini of old days',
    {
      'pyproject.toml': '[tool.poetry]\n[tool.poetry.group.dev.dependencies]\npytest = "^7"\n',
      'tox.ini': '[tox]\nenvlist = py27\n[testenv]\ncommands = pytest\n',
      ...pyTest,
    },
    ['pytest', 'tests/test_a.py', 'poetry run pytest', 'poetry install'],
  ),
  // more-itertools: tox makes environments from the network (https://tox.wiki); unittest needs nothing
  layout(
    'unittest that tox would start',
    {
      'pyproject.toml': '[project]\nname = "a"\n',
      'tox.ini': '[testenv]\ncommands = {envpython} -m unittest -v\n',
      'tests/__init__.py': '',
      'tests/test_a.py': 'from unittest import TestCase\n',
    },
    ['unittest', 'tests/test_a.py', 'python3 -m unittest', 'python3 -m pip install -e .'],
  ),
  // dotted keys and inline tables: https://toml.io/en/v1.0.0#keys
  layout(
    'extras as dotted keys',
    {
      'pyproject.toml': `[project]\nname = "a"\noptional-dependencies.tests = ["pytest"]\n${pytestTable}`,
    },
    pytest('pyproject.toml', 'python3 -m pytest', "python3 -m pip install -e '.[tests]'"),
  ),
  layout(
    'extras as an inline table',
    {
      'pyproject.toml': `[project]\nname = "a"\noptional-dependencies = { docs = ["sphinx"], test = ["pytest"] }\n${pytestTable}`,
    },
    pytest('pyproject.toml', 'python3 -m pytest', "python3 -m pip install -e '.[test]'"),
  ),
  layout(
    'tox.ini that configures pytest',
    { 'tox.ini': '[tox]\n[pytest]\n', 'setup.py': 'tests_require = ["pytest"]' },
    pytest('tox.ini', 'python3 -m pytest', 'python3 -m pip install -e .'),
  ),
  layout(
    'pytest.ini',
    { 'pytest.ini': '[pytest]\n' },
    pytest('pytest.ini', 'python3 -m pytest', 'python3 -m pip install pytest'),
  ),
  layout(
    'pip with requirements',
    { 'requirements.txt': '', 'requirements-dev.txt': 'pytest\n', ...pyTest },
    [
      'pytest',
      'tests/test_a.py',
      'python3 -m pytest',
      'python3 -m pip install -r requirements.txt -r requirements-dev.txt',
    ],
  ),
  layout(
    'pip with an extra',
    {
      'pyproject.toml': `[project]\nname = "a"\n[project.optional-dependencies]\ntest = ["pytest"]\n${pytestTable}`,
    },
    pytest('pyproject.toml', 'python3 -m pytest', "python3 -m pip install -e '.[test]'"),
  ),
  layout(
    'pip, where only the table of pytest names it',
    { 'pyproject.toml': `[project]\nname = "a"\n${pytestTable}` },
    pytest('pyproject.toml', 'python3 -m pytest', 'python3 -m pip install -e . pytest'),
  ),
  layout(
    'pip with a group',
    { 'pyproject.toml': `[project]\n[dependency-groups]\ndev = ["pytest"]\n${pytestTable}` },
    pytest('pyproject.toml', 'python3 -m pytest', 'python3 -m pip install -e . --group dev'),
  ),
  layout(
    'pytest by test files inside the package',
    { 'setup.py': 'pytest', 'app/tests/test_a.py': '' },
    ['pytest', 'app/tests/test_a.py', 'python3 -m pytest', 'python3 -m pip install -e .'],
  ),
  // a helper of unittest in one file does not make a suite of unittest
  layout(
    'pytest beside unittest',
    {
      'tests/test_a.py': 'from unittest import mock\n',
      'tests/test_b.py': 'def test_b():\n    assert True\n',
    },
    ['pytest', 'tests/test_a.py', 'python3 -m pytest', 'python3 -m pip install pytest'],
  ),
  layout('pytest with conftest', { 'testing/test_a.py': 'import unittest\n', 'conftest.py': '' }, [
    'pytest',
    'testing/test_a.py',
    'python3 -m pytest',
    'python3 -m pip install pytest',
  ]),
  layout('unittest', { 'tests/__init__.py': '', 'tests/test_a.py': 'import unittest\n' }, [
    'unittest',
    'tests/test_a.py',
    'python3 -m unittest',
    '',
  ]),
  layout('unittest without a package', { 'test/test_a.py': 'import unittest\n' }, [
    'unittest',
    'test/test_a.py',
    'python3 -m unittest discover -s test',
    '',
  ]),
  layout('django', { 'manage.py': 'import django\n', 'requirements.txt': 'django\n' }, [
    'django',
    'manage.py',
    'python3 manage.py test',
    'python3 -m pip install -r requirements.txt',
  ]),
];
