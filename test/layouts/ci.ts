/** Layouts of projects whose CI shows the test command. The forms follow the documentation of each CI. */
import { type Expected, type Layout, layout, none, pack, script, uses } from './layout.ts';

/** A workflow for pull requests with these steps: https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax */
const workflow = (...steps: readonly string[]) =>
  `on: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v5\n${steps.map(step => `      - ${step}\n`).join('')}`;
const run = (...lines: readonly string[]) =>
  workflow(...lines.map(line => `run: ${JSON.stringify(line)}`));
/** An expression of a workflow. */
const on = (expression: string) => `\${{ ${expression} }}`;
const at = '.github/workflows/ci.yml';

/** What the CI runs is taken, because nothing else shows a command. */
const taken = (test: string, setup = '', because = at): Expected => ['CI', because, test, setup];

export const ci: readonly Layout[] = [
  layout(
    'CI decides between pytest and a makefile',
    {
      [at]: run('make check'),
      Makefile: 'check:\n\tpython tests/run.py\n',
      'setup.py': 'pytest',
      'tests/test_a.py': 'import pytest\n',
    },
    ['make', 'Makefile', 'make check', ''],
  ),
  layout(
    'a makefile that CI runs leads to pytest',
    { [at]: run('make test'), Makefile: 'test:\n\tpytest -q\n', 'pytest.ini': '' },
    ['pytest (configured)', 'pytest.ini', 'python3 -m pytest', 'python3 -m pip install pytest'],
  ),
  layout(
    'tox in CI leads to pytest',
    {
      [at]: run('pip install tox', 'tox -e py'),
      'tox.ini': '[testenv]\ncommands =\n    pytest {posargs}\n',
      'setup.py': 'pytest',
      'tests/test_a.py': 'import pytest\n',
    },
    ['pytest', 'tests/test_a.py', 'python3 -m pytest', 'python3 -m pip install -e .'],
  ),
  layout(
    'CI runs another script, with a build before it',
    {
      [at]: run('npm ci', 'npm run build', 'npm run -s test:unit'),
      'package.json': pack('npm run test:unit', {
        scripts: { test: 'npm run -s test:unit', 'test:unit': 'vitest run', build: 'tsc' },
      }),
      'package-lock.json': '',
    },
    script('npm test', 'npm ci && npm run build'),
  ),
  layout(
    'a script without another witness is taken',
    { [at]: run('./ci/test.sh'), 'ci/test.sh': '#!/bin/sh\nset -e\nbats -r t\n' },
    taken('./ci/test.sh'),
  ),
  layout(
    'never with a secret',
    {
      [at]: workflow(`run: make -s test\n        env:\n          KEY: ${on('secrets.KEY')}`),
      'a.c': '',
    },
    none,
  ),
  layout(
    'never with a secret of the job',
    {
      [at]: `on: push\njobs: { a: { env: { KEY: "${on('secrets.KEY')}" }, steps: [{ run: bats -r t }] } }\n`,
    },
    none,
  ),
  layout(
    'never in an environment of deployments',
    { [at]: 'on: push\njobs: { a: { environment: production, steps: [{ run: bats -r t }] } }\n' },
    none,
  ),
  layout('never with a deployment', { [at]: run('docker run app pytest') }, none),
  layout(
    'no release',
    { [at]: 'on: release\njobs: { a: { steps: [{ run: bats -r t }] } }\n' },
    none,
  ),
  layout(
    'a matrix is reduced to this system',
    {
      [at]: `on: pull_request\njobs:\n  t:\n    strategy:\n      matrix:\n        os: [windows-latest, ubuntu-latest]\n        cmd: [bats -r t]\n    runs-on: \${{ matrix.os }}\n    steps:\n      - run: \${{ matrix.cmd }}\n`,
    },
    taken('bats -r t'),
  ),
  layout(
    'not the job of another system',
    {
      [at]: 'on: pull_request\njobs:\n  t:\n    runs-on: windows-latest\n    steps:\n      - run: bats -r t\n',
    },
    none,
  ),
  layout(
    'a composite action of the repository',
    {
      [at]: workflow('uses: ./.github/actions/test\n        with: { what: t }'),
      // https://docs.github.com/actions/reference/workflows-and-actions/metadata-syntax
      '.github/actions/test/action.yml':
        'inputs: { what: { default: x } }\nruns:\n  using: composite\n  steps:\n    - run: bats -r ' +
        on('inputs.what') +
        '\n      shell: bash\n',
    },
    taken('bats -r t'),
  ),
  layout(
    'a reusable workflow of the repository',
    {
      [at]: 'on: pull_request\njobs:\n  t:\n    uses: ./.github/workflows/unit.yml\n',
      '.github/workflows/unit.yml':
        'on: workflow_call\njobs:\n  t:\n    runs-on: ubuntu-latest\n    steps:\n      - run: bats -r t\n',
    },
    taken('bats -r t', '', '.github/workflows/unit.yml'),
  ),
  layout(
    'a folder of CI',
    { [at]: workflow('run: bats -r t\n        working-directory: core'), 'core/t/a.t': '' },
    ['CI', at, 'cd core && bats -r t', ''],
  ),
  layout(
    'of many folders, those that CI tests',
    {
      [at]: workflow('run: go test ./...\n        working-directory: api'),
      ...Object.fromEntries([...'bcdef'].map(n => [`${n}/go.mod`, ''])),
      'api/go.mod': '',
    },
    ['go', 'api/go.mod', 'cd api && go test ./...', 'cd api && go mod download'],
  ),
  // https://docs.gitlab.com/ci/yaml
  layout(
    'GitLab',
    {
      '.gitlab-ci.yml':
        'image: alpine:3\n.base:\n  stage: test\nunit:\n  extends: .base\n  services: [postgres:16]\n  script:\n    - bats -r t\n',
      't/a.t': '',
    },
    ['CI', '.gitlab-ci.yml', 'bats -r t', ''],
  ),
  layout('GitLab, but no deployment', { '.gitlab-ci.yml': 'deploy:\n  script: bats -r t\n' }, none),
  // https://docs.astral.sh/uv/guides/integration/github
  layout(
    'uv in CI',
    {
      [at]: run('uv sync --all-extras --dev', 'uv run pytest tests --cov=a'),
      'uv.lock': '',
      'pyproject.toml': '[project]\n[dependency-groups]\ndev = ["pytest"]\n',
      'tests/test_a.py': 'import pytest\n',
    },
    ['pytest', 'tests/test_a.py', 'uv run pytest', 'uv sync --frozen'],
  ),
  // https://docs.github.com/actions/tutorials/build-and-test-code/go, with a lint beside it
  layout(
    'go in CI',
    { [at]: run('go vet ./...', 'go build -v ./...', 'go test -race -v ./...'), 'go.mod': '' },
    ['go', 'go.mod', 'go test ./...', 'go mod download'],
  ),
  // https://docs.github.com/actions/tutorials/build-and-test-code/java-with-gradle
  layout(
    'a build of gradle runs its tests',
    { [at]: run('./gradlew build'), 'build.gradle': "plugins { id 'java' }\n", gradlew: '' },
    ['gradle', 'build.gradle', './gradlew test', './gradlew testClasses'],
  ),
  // https://docs.github.com/actions/tutorials/build-and-test-code/ruby: the default task
  layout(
    'the default task of rake beside rspec',
    {
      [at]: run('bundle exec rake'),
      Gemfile: '',
      '.rspec': '',
      Rakefile: 'RSpec::Core::RakeTask.new(:spec)\ntask default: :spec\n',
    },
    ['rake', 'Rakefile', 'bundle exec rake spec', 'bundle install'],
  ),
  layout(
    'pages in JavaScript beside a program in Python that CI tests',
    {
      [at]: run('python -m pytest'),
      'package.json': pack('echo nothing to test'),
      'a.js': '',
      'b.js': '',
      'c.py': '',
      'pytest.ini': '',
    },
    ['pytest (configured)', 'pytest.ini', 'python3 -m pytest', 'python3 -m pip install pytest'],
  ),
  layout(
    'lints, types and end-to-end tests are not the tests',
    {
      [at]: run('npm run lint', 'npm run test:e2e', 'npm run test:types'),
      'package.json': pack(undefined, { scripts: { 'test:e2e': 'playwright test' } }),
    },
    none,
  ),
  layout(
    'a test script of another name',
    {
      [at]: run('pnpm install', 'pnpm test:unit'),
      'package.json': pack(undefined, { scripts: { 'test:unit': 'node check.js' } }),
    },
    taken('pnpm test:unit', 'pnpm install'),
  ),
  layout(
    'conditions and loops are left out',
    { [at]: run('if [ -n "$X" ]; then\n  bats -r x\nfi\nbats -r t') },
    taken('bats -r t'),
  ),
  layout('broken YAML', { [at]: 'on: [pull_request\njobs: {' }, none),
  layout(
    'Python with a small package.json, and CI runs both',
    {
      [at]: run('npm ci', 'npm test', 'pytest'),
      'package.json': pack('jest'),
      'package-lock.json': '',
      'a.js': '',
      ...Object.fromEntries(['a.py', 'b.py', 'pytest.ini'].map(name => [name, ''])),
    },
    [
      'pytest (configured), package script',
      'pytest.ini, package.json',
      'python3 -m pytest && npm test',
      'python3 -m pip install pytest && npm ci',
    ],
  ),
  layout(
    'pnpm through corepack builds so, too',
    {
      [at]: run('corepack enable', 'pnpm install', 'pnpm build', 'pnpm test'),
      'package.json': pack('vitest run', { scripts: { test: 'vitest run', build: 'tsc' } }),
      'pnpm-lock.yaml': '',
    },
    script('corepack pnpm test', 'corepack pnpm install --frozen-lockfile && corepack pnpm build'),
  ),
  layout(
    'CI of a package with a library',
    { [at]: run('npx vitest run'), 'package.json': pack(undefined, uses('vitest')) },
    ['vitest', 'package.json', 'npx vitest run', 'npm install'],
  ),
];
