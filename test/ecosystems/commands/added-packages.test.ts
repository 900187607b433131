import { describe, expect, it } from 'vitest';
import { findAddedPackages } from '../../../src/ecosystems/commands/added-packages.ts';
import { json, listAdded, listsVersions, stateOf } from '../project.ts';

listsVersions([
  [
    'go.mod',
    'module example.com/own\n\ngo 1.22\n\nrequire golang.org/x/net v0.17.0\n\nrequire (\n\tgithub.com/a/b/v2 v2.1.0+incompatible // indirect\n)\n',
    ['go golang.org/x/net 0.17.0', 'go github.com/a/b/v2 2.1.0'],
  ],
  [
    'Cargo.toml',
    '[package]\nname = "own"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1.0"\ntokio = { version = "1.28", features = ["full"] }\nown2 = { path = "../x" }\n\n[dev-dependencies]\nrand = "0.8.5"\n',
    ['rust serde 1.0', 'rust tokio 1.28', 'rust rand 0.8.5'],
  ],
  [
    'Cargo.lock',
    '[[package]]\nname = "serde"\nversion = "1.0.1"\nsource = "registry"\n',
    ['rust serde 1.0.1'],
  ],
  [
    'go.mod',
    'module x\n\nexclude (\n\texample.com/bad v0.1.0\n)\n\nreplace (\n\texample.com/a v0.1.0 => example.com/b v0.2.0\n)\nreplace example.com/c => example.com/d v0.3.0\n',
    ['go example.com/b 0.2.0', 'go example.com/d 0.3.0'],
  ],
  [
    'Cargo.toml',
    '[dependencies.serde]\nversion = "1.0"\nfeatures = ["derive"]\n\n[workspace.dependencies]\nw = { package = "real", version = "2" }\nrand.version = "0.8"\n',
    ['rust serde 1.0', 'rust real 2', 'rust rand 0.8'],
  ],
  [
    'pom.xml',
    '<project><parent><groupId>org.a</groupId><artifactId>parent</artifactId><version>2.5.0</version></parent></project>',
    ['maven org.a:parent 2.5.0'],
  ],
  [
    'gradle/libs.versions.toml',
    '[libraries]\na = "org.a:b:1.0"\nc = { module = "org.a:c", version = "2.0" }\n',
    ['maven org.a:b 1.0', 'maven org.a:c 2.0'],
  ],
  [
    'App.csproj',
    "<PackageReference Include=\"A\">\n  <Version>12.0.1</Version>\n</PackageReference>\n<PackageReference Version='1.0' Include='B'/>",
    ['nuget A 12.0.1', 'nuget B 1.0'],
  ],
  [
    'packages.config',
    '<packages>\n  <package id="A" version="12.0.1" targetFramework="net48" />\n</packages>',
    ['nuget A 12.0.1'],
  ],
  [
    'pom.xml',
    '<project><version>1.0</version><dependencies>\n<dependency>\n  <groupId>org.a</groupId>\n  <artifactId>b-c</artifactId>\n  <version>2.14.0</version>\n</dependency>\n<dependency><groupId>x</groupId><artifactId>y</artifactId><version>$v</version></dependency></dependencies></project>',
    ['maven org.a:b-c 2.14.0'],
  ],
  [
    'app/build.gradle.kts',
    'dependencies {\n  implementation("org.a:b:1.2.3")\n}\n',
    ['maven org.a:b 1.2.3'],
  ],
  [
    'gradle.lockfile',
    'org.a:b:1.2.3=compileClasspath\nempty=annotationProcessor\n',
    ['maven org.a:b 1.2.3'],
  ],
  [
    'Gemfile',
    "source 'https://rubygems.org'\ngem 'rack', '~> 2.2'\ngem \"rails\"\n",
    ['rubygems rack 2.2'],
  ],
  [
    'Gemfile.lock',
    'GEM\n  remote: https://rubygems.org/\n  specs:\n    nokogiri (1.15.0-x86_64-linux)\n      racc (~> 1.4)\n    racc (1.7.1)\n\nDEPENDENCIES\n  nokogiri\n',
    ['rubygems nokogiri 1.15.0', 'rubygems racc 1.7.1'],
  ],
  [
    'composer.json',
    json({ require: { php: '>=8.1', 'a/b': '^2.0' } }),
    ['composer php 8.1', 'composer a/b 2.0'],
  ],
  [
    'composer.lock',
    json({ packages: [{ name: 'a/b', version: 'v2.0.1' }], 'packages-dev': [] }),
    ['composer a/b 2.0.1'],
  ],
  [
    'src/App.csproj',
    '<Project><ItemGroup><PackageReference Include="Newtonsoft.Json" Version="12.0.1" /></ItemGroup></Project>',
    ['nuget Newtonsoft.Json 12.0.1'],
  ],
  [
    'packages.lock.json',
    json({ dependencies: { net8: { 'Newtonsoft.Json': { type: 'Direct', resolved: '12.0.1' } } } }),
    ['nuget Newtonsoft.Json 12.0.1'],
  ],
]);

describe('the versions that a patch adds', () => {
  it('in a file with line ends of Windows, too', () => {
    expect(listAdded('Gemfile.lock', 'GEM\r\n  specs:\r\n    rack (2.2.0)\r\n')).toEqual([
      'rubygems rack 2.2.0',
    ]);
  });

  it('are those of the lock file where it names the package of a manifest', () => {
    const lock = json({ packages: { 'node_modules/a': { version: '1.9.0' } } });
    const changes = [
      ['package.json', json({ dependencies: { a: '^1.2.3', b: '^1.0.0' } })],
      ['package-lock.json', lock],
    ] as const;
    const found = findAddedPackages(
      changes.map(([path, text]) => ({ path, before: undefined, after: stateOf(text) })),
    );
    expect(found.map(p => `${p.name} ${p.version}`)).toEqual(['b 1.0.0', 'a 1.9.0']);
  });

  it('are none of a lock file that moves', () => {
    const lock = stateOf(json({ packages: { 'node_modules/a': { version: '1.9.0' } } }));
    const moved = [
      { path: 'a/package-lock.json', before: lock, after: undefined },
      { path: 'b/package-lock.json', before: undefined, after: lock },
    ];
    expect(findAddedPackages(moved)).toEqual([]);
  });

  it.each([
    [
      'package.json',
      '{"dependencies":{"a":{"toString":1,"valueOf":1},"b":"1.0.0"}}',
      'npm b 1.0.0',
    ],
    ['package.json', '\ufeff{"dependencies":{"b":"1.0.0"}}', 'npm b 1.0.0'],
    ['package.json', '{"dependencies":{"b@1.0.0":"1.0.0","@x/b":"1.0.0"}}', 'npm @x/b 1.0.0'],
    [
      'packages.lock.json',
      '{"dependencies":{"n":{"a":{"resolved":{"toString":1,"valueOf":1}},"b":{"resolved":"1.0.0"}}}}',
      'nuget b 1.0.0',
    ],
    [
      'composer.lock',
      '{"packages":[{"name":{"toString":1,"valueOf":1},"version":"1.0"},{"name":"a/b","version":"1.0"}]}',
      'composer a/b 1.0',
    ],
  ])('of %s are read beside what is no text: %s', (path, text, version) => {
    expect(listAdded(path, text)).toEqual([version]);
  });

  const many = 100_000;
  it.each([
    [
      'package-lock.json',
      `{"dependencies":${'{"a":{"dependencies":'.repeat(many)}{}${'}}'.repeat(many)}}`,
    ],
    ['package.json', json({ dependencies: { a: ' '.repeat(many) } })],
    ['package.json', json({ dependencies: { a: `1.0${' '.repeat(many)}1` } })],
    [
      'package.json',
      json({
        dependencies: Object.fromEntries(Array.from({ length: many }, (_, i) => [`p${i}`, '1'])),
      }),
    ],
    ['bun.lock', '\n'.repeat(many)],
    ['pyproject.toml', '"a['.repeat(many)],
    ['requirements.txt', `a${' '.repeat(many)}\n${'a['.repeat(many)}`],
    ['App.csproj', '<PackageReference '.repeat(many)],
    ['go.mod', 'exclude (\n'.repeat(many)],
    [
      'Cargo.toml',
      `[${'dependencies.a'.repeat(many)}\n[dependencies]\na = {${'package version '.repeat(many)}`,
    ],
    ['yarn.lock', `${'a@npm:'.repeat(many)}\n`],
  ])('of a hostile %s are read in bounded time (row %#)', (path, text) => {
    expect(listAdded(path, text).length).toBeLessThanOrEqual(many);
  });

  it('are none of what is no manifest, is broken, is removed, or could end a query', () => {
    expect(listAdded('docs/package.json.md', json({ dependencies: { a: '1.0.0' } }))).toEqual([]);
    expect(listAdded('package.json', '{"dependencies": [')).toEqual([]);
    expect(
      listAdded('package.json', json({ dependencies: { 'a,b': '1.0.0', 'a b': '1.0.0' } })),
    ).toEqual([]);
    expect(listAdded('package.json', '{}', json({ dependencies: { a: '1.0.0' } }))).toEqual([]);
  });
});
