/** Layouts of JavaScript, TypeScript and Deno. */
import { type Layout, layout, none, pack, script, uses } from './layout.ts';

export const javascript: readonly Layout[] = [
  layout('npm', { 'package.json': pack('node --test') }, script('npm test', '')),
  layout(
    'npm without a lock file',
    { 'package.json': pack('vitest', uses('vitest')) },
    script('npm test', 'npm install'),
  ),
  layout(
    'npm with a lock file',
    { 'package.json': pack('jest'), 'package-lock.json': '' },
    script('npm test', 'npm ci'),
  ),
  layout(
    'pnpm',
    { 'package.json': pack('x'), 'pnpm-lock.yaml': '' },
    script('corepack pnpm test', 'corepack pnpm install --frozen-lockfile'),
  ),
  layout(
    'yarn 1',
    { 'package.json': pack('x'), 'yarn.lock': '# yarn lockfile v1\n' },
    script('corepack yarn test', 'corepack yarn install --frozen-lockfile'),
  ),
  layout(
    'yarn by its newer lock file',
    { 'package.json': pack('x'), 'yarn.lock': '__metadata:\n  version: 8\n' },
    script('corepack yarn test', 'corepack yarn install --immutable'),
  ),
  layout(
    'yarn by the manifest',
    { 'package.json': pack('x', { packageManager: 'yarn@4.1.0' }), 'yarn.lock': '' },
    script('corepack yarn test', 'corepack yarn install --immutable'),
  ),
  layout(
    'bun with a script',
    { 'package.json': pack('x'), 'bun.lock': '' },
    script('bun run test', 'bun install --frozen-lockfile'),
  ),
  layout(
    'the package manager of the manifest before lock files',
    { 'package.json': pack('x', { packageManager: 'pnpm@9.0.0' }), 'package-lock.json': '' },
    script('corepack pnpm test', ''),
  ),
  layout(
    "not npm's placeholder",
    { 'package.json': pack('echo "Error: no test specified" && exit 1') },
    none,
  ),
  layout('not a broken manifest', { 'package.json': '{' }, none),
  layout(
    'turbo without a root script',
    {
      'package.json': pack(undefined, { workspaces: ['packages/*'], ...uses('turbo') }),
      'turbo.json': '{"tasks": {"test": {}}}',
      'pnpm-lock.yaml': '',
    },
    [
      'turbo',
      'turbo.json',
      'corepack pnpm exec turbo run test',
      'corepack pnpm install --frozen-lockfile',
    ],
  ),
  layout(
    'nx',
    { 'package.json': pack(undefined, uses('nx')), 'nx.json': '{}', 'package-lock.json': '' },
    ['nx', 'nx.json', 'npx nx run-many -t test', 'npm ci'],
  ),
  layout(
    'npm workspaces',
    {
      'package.json': pack(undefined, { workspaces: ['packages/*'] }),
      'packages/a/package.json': pack('node --test'),
    },
    ['workspaces', 'package.json', 'npm test --workspaces --if-present', 'npm install'],
  ),
  layout(
    'pnpm workspaces',
    {
      'package.json': pack(undefined),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'packages/a/package.json': pack('vitest'),
    },
    ['workspaces', 'pnpm-workspace.yaml', 'corepack pnpm -r test', 'corepack pnpm install'],
  ),
  layout(
    'yarn workspaces',
    {
      'package.json': pack(undefined, { workspaces: ['a'] }),
      'a/package.json': pack('jest'),
      'yarn.lock': '',
      '.yarnrc.yml': '',
    },
    [
      'workspaces',
      'package.json',
      'corepack yarn workspaces foreach -A run test',
      'corepack yarn install --immutable',
    ],
  ),
  layout(
    'workspaces where no package has tests',
    { 'package.json': pack(undefined, { workspaces: ['a'] }), 'a/package.json': pack(undefined) },
    none,
  ),
  ...(['vitest', 'jest', 'mocha'] as const).map(name =>
    layout(`${name} without a script`, { 'package.json': pack(undefined, uses(name)) }, [
      name,
      'package.json',
      `npx ${name === 'vitest' ? 'vitest run' : name}`,
      'npm install',
    ]),
  ),
  layout(
    'bun test',
    { 'package.json': pack(undefined), 'bun.lock': '', 'src/a.test.ts': 'import "bun:test"' },
    ['bun test', 'bun.lock', 'bun test', 'bun install --frozen-lockfile'],
  ),
  layout(
    'node --test without a script',
    { 'package.json': pack(undefined), 'test/a.js': "import test from 'node:test';\n" },
    ['node --test', 'test/a.js', 'node --test', ''],
  ),
  layout('deno task', { 'deno.json': '{"tasks": {"dev": "x", "test": "deno test -A"}}' }, [
    'deno task',
    'deno.json',
    'deno task test',
    'deno install',
  ]),
  layout('deno test', { 'deno.jsonc': '{} // nothing', 'a_test.ts': '' }, [
    'deno test',
    'deno.jsonc',
    'deno test',
    'deno install',
  ]),
];
