/** The CI of a project is the witness of its test command. */
import { describe, expect, it } from 'vitest';
import { findCiTests, testKeys } from '../../../src/ecosystems/commands/ci-tests.ts';
import { detectAll } from '../../../src/ecosystems/commands/detect.ts';
import { describeWitness } from '../../../src/ecosystems/shared/tool-row.ts';
import { filesOf } from '../../layouts/layout.ts';

const workflow = `on: [pull_request]
env:
  LEVEL: 3
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [20, 22]
    services:
      postgres:
        image: postgres:16
        ports: ['5433:5432', 6000]
    steps:
      - uses: actions/setup-node@v5
        with:
          node-version: \${{ matrix.node }}
      - run: npm ci && npm run build
      - run: npm test
        env:
          DATABASE_URL: postgres://localhost
`;

it('says what the tests need beside a command', async () => {
  const files = filesOf({
    '.github/workflows/ci.yml': workflow,
    'package.json': '{"scripts":{"test":"node --test","build":"tsc"}}',
    'package-lock.json': '',
  });
  const { chosen: found } = await detectAll(files);
  expect(found).toEqual({
    tool: 'package script',
    command: 'npm test',
    setup: 'npm ci && npm run build',
    because: 'package.json',
    witness: {
      file: '.github/workflows/ci.yml',
      line: 'npm test',
      services: ['postgres'],
      ports: ['5433'],
    },
  });
});

it('names the services of a container job by host and port', async () => {
  const inside = workflow.replace('    services:', '    container: node:22\n    services:');
  const own = { 'package.json': '{"scripts":{"test":"node --test"}}' };
  const ports = async (text: string) =>
    (await detectAll(filesOf({ ...own, '.github/workflows/ci.yml': text }))).chosen?.witness?.ports;
  expect(await ports(inside)).toEqual(['postgres:5432']);
  expect(await ports(inside.replace(/ +ports:.*\n/, ''))).toEqual(['postgres:5432']);
});

it('is the one that runs these tests, and not that of a downstream or an expression', async () => {
  const job = (name: string, line: string) => `  ${name}:\n    steps:\n      - run: ${line}\n`;
  const lines = ['go test -x ./...', `go test \${{ inputs.x }} ./...`, 'go test -race ./...'];
  const jobs = ['downstream', 'main', 'test'].map((name, i) => job(name, lines[i] ?? '')).join('');
  const text = `on: push\njobs:\n${jobs}`;
  const { chosen } = await detectAll(filesOf({ 'go.mod': '', '.github/workflows/ci.yml': text }));
  expect(chosen?.witness?.line).toBe('go test -race ./...');
});

it('is named by its file, with its own command if that is another one', () => {
  const witness = { file: '.github/workflows/ci.yml', line: 'npm test', services: [] };
  expect(describeWitness(witness, 'npm test')).toBe('as ci.yml runs it');
  expect(describeWitness(witness, 'npx jest')).toBe('ci.yml runs "npm test"');
});

describe('two commands run the same tests', () => {
  const files = filesOf({
    'package.json': '{"scripts":{"test":"npm run -s unit","unit":"nyc mocha"}}',
    Makefile: 'test: deps\n\t@uv run pytest -q\ndeps:\n\tpip install x\n',
    'tox.ini': '[testenv]\ncommands =\n    {envpython} -m pytest {posargs}\n',
  });
  it.each([
    ['npm test', 'npx mocha --exit'],
    ['make -s test', 'python3 -m pytest'],
    ['tox -e py', 'coverage run -m pytest tests'],
    ['./gradlew build', 'gradle test'],
    ['bundle exec rake', 'rake spec'],
    ['cargo test --all', 'cargo test --workspace'],
    ['xvfb-run -a CI=1 go test -race ./...', 'go test ./...'],
  ])('%s, and %s', async (one, other) => {
    const [a, b] = [await testKeys(one, '', files), await testKeys(other, '', files)];
    expect(a.filter(key => b.includes(key))).not.toEqual([]);
  });

  it.each([
    'npm run lint',
    'tox -e lint',
    'mvn -B package -DskipTests',
    'cargo build',
    'npm run e2e',
  ])('but none of %s', async line => expect(await testKeys(line, '', files)).toEqual([]));
});

it('is read in a moment, and never fails, whatever its files hold', async () => {
  const hostile = [
    `a: &a [x]\n${Array.from({ length: 500 }, (_, i) => `b${i}: &b${i} [*a, *a, *a]`).join('\n')}`,
    `on: push\njobs: ${'{a: '.repeat(3_000)}`,
    'jobs: [1, null, {steps: 7}]\non: pull_request\n',
    `on: pull_request\njobs: {t: {steps: [{run: "${'if '.repeat(40_000)}"}]}}`,
    '\0',
  ];
  for (const text of hostile) {
    const files = filesOf({ '.github/workflows/ci.yml': text });
    expect(await findCiTests(files)).toEqual([]);
  }
});
