/** Test and set-up commands are detected from the files of a project, by a table with a row for each tool. */
import { describe, expect, it } from 'vitest';
import {
  detectAll,
  detectionTable,
  detectNarrower,
} from '../../../src/ecosystems/commands/detect.ts';
import { layouts } from '../../layouts/index.ts';
import { filesOf, type Layout } from '../../layouts/layout.ts';

describe('the test command and its set-up are detected', () => {
  it.each(layouts.map(l => [l.name, l] as const))('%s', async (_name, layout) => {
    const files = filesOf(layout.files);
    const { chosen: found } = await detectAll(files);
    const { tool, test, setup, because } = layout;
    const { witness: _, ...shown } = found ?? { witness: undefined };
    expect(shown).toEqual(tool === undefined ? {} : { tool, command: test, setup, because });
  });

  it('with a layout for each row of the table', () => {
    const shown = new Set(layouts.map(l => l.tool));
    expect(detectionTable.map(row => row.tool).filter(tool => !shown.has(tool))).toEqual([]);
  });
});

describe('a project with several tools', () => {
  const go = { 'go.mod': '', Makefile: 'test:\n', 'web/package.json': '{"scripts":{"test":"x"}}' };

  it('shows what was passed over, but no packages of the same language', async () => {
    const { chosen, passedOver } = await detectAll(filesOf({ ...go, 'tools2/go.mod': '' }));
    expect(chosen?.command).toBe('go test ./...');
    expect(passedOver.map(d => d.command)).toEqual(['make test', 'cd web && npm test']);
  });

  it('runs the folder with the files of the task first', async () => {
    const files = filesOf({ 'a/go.mod': '', 'b/go.mod': '', 'b/x.go': '' });
    const { chosen: found } = await detectAll(files, ['b/x.go']);
    expect(found?.command).toBe('cd b && go test ./... && cd ../a && go test ./...');
  });

  // dart-lang/http, bloc
  it('runs the package that the task names if there are many', async () => {
    const packages = [...'abcdef'].map(n => [
      [`pkgs/${n}/pubspec.yaml`, `name: ${n}\n`],
      [`pkgs/${n}/test/${n}_test.dart`, ''],
    ]);
    const files = filesOf(Object.fromEntries(packages.flat()));
    expect((await detectAll(files)).chosen).toBeUndefined();
    const named = ['pkgs/b/lib/b.dart', 'pkgs/e/lib/e.dart'];
    const { chosen: found } = await detectAll(files, named);
    expect(found?.command).toBe('cd pkgs/b && dart test && cd ../e && dart test');
  });

  it('quotes the names of folders and files', async () => {
    const odd = "a'; touch x #";
    const found = async (files: Layout['files']) =>
      (await detectAll(filesOf(files))).chosen?.command;
    const quotedName = `'a'\\''; touch x #'`;
    expect(await found({ [`${odd}/go.mod`]: '' })).toBe(`cd ${quotedName} && go test ./...`);
    expect(await found({ '-x/go.mod': '' })).toBe('cd ./-x && go test ./...');
    expect(await found({ [`${odd}/a.sln`]: '' })).toBe(
      `dotnet test ${quotedName.replace(/'$/, "/a.sln'")}`,
    );
    const tests = { 'setup.py': '', [`${odd}/tests/test_a.py`]: 'import unittest\n' };
    expect(await found(tests)).toBe(`python3 -m unittest discover -s ${quotedName}`);
  });

  it('decides in a moment about many files and texts without an end', async () => {
    const paths = Array.from({ length: 10_000 }, (_, i) => `src/part${i % 999}/file${i}.c`);
    const long = ['task ', '"tasks":', '"scripts" :', '\n', ' ', 'use (', '@nox.session(', '[x]\n'];
    const names = 'Rakefile deno.json composer.json CMakeLists.txt pubspec.yaml go.work noxfile.py';
    for (const text of long) {
      const whole = text.repeat(300_000 / text.length);
      const files = Object.fromEntries(names.split(' ').map(name => [name, whole]));
      const tree = filesOf(files);
      // what is not linear takes minutes, and fails by the time limit of the test
      const all = { ...tree, paths: [...tree.paths, ...paths] };
      expect(await detectAll(all), JSON.stringify(text)).toBeInstanceOf(Object);
    }
  });

  it.each<[string, readonly string[], string | undefined]>([
    ['a file of a package', ['packages/b/src/x.ts'], 'cd packages/b && corepack pnpm test'],
    ['files of two packages', ['packages/a/x.ts', 'packages/b/src/x.ts'], undefined],
    ['a file of the root', ['x.ts'], undefined],
    ['no file', [], undefined],
  ])('finds what tests %s alone', async (_name, named, command) => {
    const manifest = '{"scripts":{"test":"vitest"}}';
    const files = filesOf({
      'package.json': '{"scripts":{"test":"turbo run test"},"packageManager":"pnpm@9.0.0"}',
      'packages/a/package.json': manifest,
      'packages/b/package.json': manifest,
      'packages/b/src/x.ts': '',
    });
    expect((await detectNarrower(files, named))?.command).toBe(command);
  });
});
