/** Layouts of projects, with the commands that detection has to find in each. */
import { ci } from './ci.ts';
import { javascript } from './javascript.ts';
import { type Layout, layout, none, pack, script, uses } from './layout.ts';
import { others } from './others.ts';
import { python } from './python.ts';

/** Projects in folders. */
const places: readonly Layout[] = [
  layout(
    'the only project in a folder',
    { 'README.md': '', 'app/package.json': pack('jest'), 'app/package-lock.json': '' },
    ['package script', 'app/package.json', 'cd app && npm test', 'cd app && npm ci'],
  ),
  layout(
    'a set-up of several parts in a folder',
    { 'native/lib/CMakeLists.txt': 'enable_testing()\n' },
    [
      'ctest',
      'native/lib/CMakeLists.txt',
      'cd native/lib && ctest --test-dir build --output-on-failure',
      'cd native/lib && cmake -S . -B build && cmake --build build',
    ],
  ),
  layout(
    'two projects in folders',
    { 'client/package.json': pack('jest', uses('jest')), 'server/go.mod': '' },
    [
      'package script, go',
      'client/package.json, server/go.mod',
      'cd client && npm test && cd ../server && go test ./...',
      'cd client && npm install && cd ../server && go mod download',
    ],
  ),
  layout(
    'many projects in folders',
    Object.fromEntries([...'abcde'].map(n => [`${n}/go.mod`, ''])),
    none,
  ),
  layout('only examples', { 'examples/a/package.json': pack('jest') }, none),
  layout(
    'Go beside packages for its pages',
    { 'go.mod': '', 'package.json': pack(undefined, uses('vitest')) },
    ['go', 'go.mod', 'go test ./...', 'go mod download'],
  ),
  layout(
    'Elixir with a package script for its pages',
    {
      ...{ 'mix.exs': '', 'lib/a.ex': '', 'lib/b.ex': '' },
      ...{ 'package.json': pack('jest'), 'assets/a.js': '' },
    },
    ['mix', 'mix.exs', 'mix test', 'mix deps.get'],
  ),
  layout(
    'a package script with some code in Rust',
    { 'package.json': pack('x'), 'a.js': '', 'b.js': '', 'Cargo.toml': '', 'src/lib.rs': '' },
    script('npm test', ''),
  ),
  layout(
    'a package script before a makefile',
    { 'package.json': pack('x'), Makefile: 'test:\n' },
    script('npm test', ''),
  ),
];

/** Every layout of the detection table. */
export const layouts: readonly Layout[] = [...javascript, ...python, ...others, ...places, ...ci];
