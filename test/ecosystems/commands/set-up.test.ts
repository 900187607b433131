import { describe, expect, it } from 'vitest';
import { commandFiles } from '../../../src/ecosystems/commands/command-files.ts';
import { changesSetUp, repeatedSetUp } from '../../../src/ecosystems/commands/set-up.ts';
import { changeOf, plainSetUp, project } from '../../verify/changes.ts';

describe('a set-up', () => {
  it.each([
    ['npm ci', ''],
    ['npm ci --ignore-scripts', ''],
    ['npm ci && npm run build', 'npm run build'],
    ['corepack pnpm install --frozen-lockfile && pnpm build', 'pnpm build'],
    ['pip install -r requirements.txt', ''],
    ['pip install .', 'pip install .'],
    ['apt-get update\napt-get install -y make\nmake', 'make'],
    ['make deps', 'make deps'],
    ['npm ci || yarn', 'npm ci || yarn'],
    ['cp a b && npm ci && npm run build', 'cp a b && npm run build'],
    ["python3 -m pip install -r requirements.txt -e '.[test]' --group dev pytest", ''],
    [
      'python3 -m pip install -r requirements.txt ./own',
      'python3 -m pip install -r requirements.txt ./own',
    ],
    ['uv sync --frozen --all-packages --extra test --group docs', ''],
    ['cd web && npm ci && cd ../api && go mod download', ''],
    ['cd web && npm ci && npm run build', 'cd web && npm run build'],
  ])('after %s: %s', (command, again) =>
    expect(repeatedSetUp(command, plainSetUp, [])).toBe(again),
  );
  it('an installation that runs scripts of the project is repeated', () =>
    expect(repeatedSetUp('npm ci', { ...plainSetUp, installsRunScripts: true }, [])).toBe(
      'npm ci',
    ));
  it.each([
    ['npm ci', 'src/price.js', ''],
    ['npm ci', 'package-lock.json', 'npm ci'],
    ['npm ci', 'src/addon.cc', 'npm ci'],
    ['pip install -e .', 'src/parse.pyx', 'pip install -e .'],
    ['go mod download', 'main.go', ''],
  ])('%s, after a change of %s: %s', (command, path, again) =>
    expect(repeatedSetUp(command, plainSetUp, [changeOf(path, 'a', 'b')])).toBe(again),
  );

  it.each([
    'package.json',
    'package-lock.json',
    'requirements.txt',
    'setup.py',
    'pyproject.toml',
    'web/yarn.lock',
    'Makefile',
    '.yarnrc.yml',
    'scripts/prepare.sh',
  ])('reads %s', async path => {
    const files = await commandFiles(
      'sh scripts/prepare.sh',
      project({ 'scripts/prepare.sh': '' }),
    );
    expect(changesSetUp(changeOf(path, 'a', 'b'), { ...plainSetUp, files })).toBe(true);
  });
});
