/** Rows of the detection table for the languages whose tools need little more than a name. Pure. */
import { thisPlatform } from '../process/this-platform.ts';
import type { ProjectFolder } from './shared/project-files.ts';
import { type Commands, plainRow, type ToolRow } from './shared/tool-row.ts';

/** `go test ./...` does not enter the other modules of a workspace, so each one is named. */
async function findGoWorkspace(folder: ProjectFolder): Promise<Commands | null> {
  const text = (await folder.read('go.work'))?.replace(/\/\/.*$/gm, '');
  if (text === undefined) return null;
  const block = /^use[ \t]*\(([^)]{0,9999})\)/m.exec(text)?.[1] ?? '';
  const single = [...text.matchAll(/^use\s+([^\s(]+)/gm)].map(m => m[1] ?? '');
  const modules = [...block.split(/\s+/), ...single].filter(Boolean).map(path => {
    const plain = path.replace(/^["`]|["`]$|\/$/g, '').replace(/^\.\/?/, '');
    return thisPlatform.shell.quoted(plain === '' ? './...' : `./${plain}/...`);
  });
  if (modules.length === 0) return null;
  const command = `go test ${modules.join(' ')}`;
  return { command, setup: 'go mod download', because: 'go.work' };
}

const sample = /(?:^|\/)(?:fixtures?|testdata|samples?|examples?|templates?)\//i;
const depthOf = (path: string) => path.split('/').length;

/** `dotnet test` finds a solution or project only in the folder that it starts in, and only if there is one. */
async function findDotnet(folder: ProjectFolder): Promise<Commands | null> {
  const inOrder = [/\.slnx?$/, /tests?\.(?:cs|fs|vb)proj$/i, /\.(?:cs|fs|vb)proj$/];
  for (const pattern of inOrder) {
    const found = folder.paths.filter(p => pattern.test(p) && !sample.test(p));
    const depth = Math.min(...found.map(depthOf));
    const nearest = found.filter(p => depthOf(p) === depth);
    const [because] = nearest;
    if (because === undefined) continue;
    const file =
      depth === 1 && nearest.length === 1 ? '' : ` ${thisPlatform.shell.quoted(because)}`;
    return { command: `dotnet test${file}`, setup: `dotnet restore${file}`, because };
  }
  return null;
}

const rakeTask = /\btask[ (]{1,3}:?["']?(test|spec)\b/;

async function findRake(folder: ProjectFolder): Promise<Commands | null> {
  const text = (await folder.read('Rakefile')) ?? '';
  const task =
    rakeTask.exec(text)?.[1] ??
    (/TestTask/.test(text) ? 'test' : /RSpec::Core::RakeTask/.test(text) ? 'spec' : null);
  if (task === null) return null;
  const bundled = folder.has('Gemfile');
  return {
    command: `${bundled ? 'bundle exec ' : ''}rake ${task}`,
    setup: bundled ? 'bundle install' : '',
    because: 'Rakefile',
  };
}

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

async function findMake(folder: ProjectFolder): Promise<Commands | null> {
  const because = makefiles.find(folder.has);
  if (because === undefined) return null;
  const text = (await folder.read(because)) ?? '';
  const target = ['test', 'check'].find(t => new RegExp(`^${t}\\s*:(?!=)`, 'm').test(text));
  return target === undefined ? null : { command: `make ${target}`, setup: '', because };
}

const bundle = { Gemfile: 'bundle install' };
const phpTests = ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'];
const flutter = /^[ \t]+sdk:[ \t]*["']?flutter/m;
const gradleFiles = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];
const cmakeTests = /^[ \t]*(?:enable_testing|include[ \t]*\([ \t]*CTest)\b/im;

/** In order. */
export const otherTools: readonly ToolRow[] = [
  plainRow({
    tool: 'cargo (workspace)',
    ecosystem: 'Rust',
    shownBy: '`Cargo.toml` with `[workspace]`',
    signs: [['Cargo.toml', /^\[workspace[.\]]/m]],
    command: 'cargo test --workspace',
    setup: 'cargo fetch',
    setups: { 'Cargo.lock': 'cargo fetch --locked' },
  }),
  plainRow({
    tool: 'cargo',
    ecosystem: 'Rust',
    shownBy: '`Cargo.toml`',
    signs: ['Cargo.toml'],
    unless: [['Cargo.toml', /^\[workspace[.\]]/m]],
    command: 'cargo test',
    setup: 'cargo fetch',
    setups: { 'Cargo.lock': 'cargo fetch --locked' },
  }),
  {
    tool: 'go (workspace)',
    ecosystem: 'Go',
    shownBy: '`go.work`, with the folders that it uses',
    find: findGoWorkspace,
  },
  plainRow({
    tool: 'go',
    ecosystem: 'Go',
    shownBy: '`go.mod`',
    signs: ['go.mod'],
    unless: ['go.work'],
    command: 'go test ./...',
    setup: 'go mod download',
  }),
  plainRow({
    tool: 'maven',
    ecosystem: 'Java',
    shownBy: '`pom.xml`, with its wrapper `mvnw` if there is one',
    signs: ['pom.xml'],
    // without -q, which hides how many tests ran
    command: 'mvn -B test',
    commands: { mvnw: './mvnw -B test' },
    setup: 'mvn -B -q dependency:go-offline',
    setups: { mvnw: './mvnw -B -q dependency:go-offline' },
  }),
  plainRow({
    tool: 'gradle',
    ecosystem: 'Java, Kotlin',
    shownBy:
      '`build.gradle` or `settings.gradle`, also with `.kts`, with its wrapper `gradlew` if there is one',
    signs: gradleFiles,
    command: 'gradle test',
    commands: { gradlew: './gradlew test' },
    setup: 'gradle testClasses',
    setups: { gradlew: './gradlew testClasses' },
  }),
  plainRow({
    tool: 'sbt',
    ecosystem: 'Scala',
    shownBy: '`build.sbt`',
    signs: ['build.sbt'],
    command: 'sbt test',
    setup: 'sbt update',
  }),
  plainRow({
    tool: 'lein',
    ecosystem: 'Clojure',
    shownBy: '`project.clj`',
    signs: ['project.clj'],
    command: 'lein test',
    setup: 'lein deps',
  }),
  plainRow({
    tool: 'swift',
    ecosystem: 'Swift',
    shownBy: '`Package.swift` with a test target',
    signs: [['Package.swift', /\.testTarget\s*\(/]],
    command: 'swift test',
    setup: 'swift package resolve',
  }),
  plainRow({
    tool: 'zig',
    ecosystem: 'Zig',
    shownBy: '`build.zig` with a step `test`',
    signs: [['build.zig', /\bstep\(\s*"test"/]],
    // without the option, it prints nothing if the tests pass
    command: 'zig build test --summary all',
    setups: { 'build.zig.zon': 'zig build --fetch' },
  }),
  plainRow({
    tool: 'flutter',
    ecosystem: 'Dart',
    shownBy: '`pubspec.yaml` with `sdk: flutter`, and `*_test.dart`',
    signs: [['pubspec.yaml', flutter]],
    also: [/_test\.dart$/],
    command: 'flutter test',
    setup: 'flutter pub get',
  }),
  plainRow({
    tool: 'dart',
    ecosystem: 'Dart',
    shownBy: '`pubspec.yaml`, and `*_test.dart`',
    signs: ['pubspec.yaml'],
    also: [/_test\.dart$/],
    unless: [['pubspec.yaml', flutter]],
    command: 'dart test',
    setup: 'dart pub get',
  }),
  plainRow({
    tool: 'mix',
    ecosystem: 'Elixir',
    shownBy: '`mix.exs`',
    signs: ['mix.exs'],
    command: 'mix test',
    setup: 'mix deps.get',
  }),
  plainRow({
    tool: 'pest',
    ecosystem: 'PHP',
    shownBy: '`pestphp/pest` in `composer.json`, or `tests/Pest.php`',
    signs: [['composer.json', /"pestphp\/pest"/], 'tests/Pest.php'],
    command: 'vendor/bin/pest',
    setup: 'composer install',
  }),
  plainRow({
    tool: 'phpunit',
    ecosystem: 'PHP',
    shownBy: '`phpunit.xml` or `phpunit.xml.dist`',
    signs: phpTests,
    command: 'vendor/bin/phpunit',
    setups: { 'composer.json': 'composer install' },
  }),
  plainRow({
    tool: 'composer script',
    ecosystem: 'PHP',
    shownBy: '`scripts.test` of `composer.json`',
    signs: [['composer.json', /"scripts"\s*:/, /"test"\s*:/]],
    command: 'composer test',
    setup: 'composer install',
  }),
  plainRow({
    tool: 'rspec',
    ecosystem: 'Ruby',
    shownBy: '`.rspec`, or files `spec/**/*_spec.rb`',
    signs: ['.rspec', /^spec\/(?:.*\/)?[^/]+_spec\.rb$/],
    command: 'rspec',
    commands: { Gemfile: 'bundle exec rspec' },
    setups: bundle,
  }),
  plainRow({
    tool: 'rails',
    ecosystem: 'Ruby',
    shownBy: '`bin/rails`, and files `test/**/*_test.rb`',
    signs: ['bin/rails'],
    also: [/^test\/(?:.*\/)?[^/]+_test\.rb$/],
    command: 'bin/rails test',
    setup: 'bundle install',
  }),
  {
    tool: 'rake',
    ecosystem: 'Ruby',
    shownBy: 'a task `test` or `spec` in `Rakefile`',
    find: findRake,
  },
  plainRow({
    tool: 'minitest',
    ecosystem: 'Ruby',
    shownBy: 'files `test/**/*_test.rb` or `test/**/test_*.rb`',
    signs: [/^test\/(?:.*\/)?(?:[^/]+_test|test_[^/]+)\.rb$/],
    unless: ['bin/rails', ['Rakefile', /TestTask/], ['Rakefile', rakeTask]],
    command: `ruby -Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].each { |f| require "./#{f}" }'`,
    commands: {
      Gemfile: `bundle exec ruby -Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].each { |f| require "./#{f}" }'`,
    },
    setups: bundle,
  }),
  plainRow({
    tool: 'stack',
    ecosystem: 'Haskell',
    shownBy: '`stack.yaml`',
    signs: ['stack.yaml'],
    command: 'stack test',
    setup: 'stack test --only-dependencies',
  }),
  plainRow({
    tool: 'cabal',
    ecosystem: 'Haskell',
    shownBy: '`cabal.project` or a `.cabal` file',
    signs: ['cabal.project', /^[^/]+\.cabal$/],
    unless: ['stack.yaml'],
    command: 'cabal test all',
    setup: 'cabal update && cabal build all --enable-tests --only-dependencies',
  }),
  plainRow({
    tool: 'ctest',
    ecosystem: 'C, C++',
    shownBy: '`CMakeLists.txt` with `enable_testing()` or `include(CTest)`',
    signs: [['CMakeLists.txt', cmakeTests]],
    command: 'ctest --test-dir build --output-on-failure',
    setup: 'cmake -S . -B build && cmake --build build',
  }),
  plainRow({
    tool: 'meson',
    ecosystem: 'C, C++',
    shownBy: '`meson.build` that defines a test or enters another folder',
    signs: [['meson.build', /^[ \t]*(?:test|subdir)[ \t]*\(/m]],
    command: 'meson test -C build',
    setup: 'meson setup build',
  }),
  plainRow({
    tool: 'autotools',
    ecosystem: 'C, C++',
    shownBy: '`configure`, or `configure.ac` with `Makefile.am`',
    signs: ['configure', 'configure.ac'],
    also: ['Makefile.am', 'Makefile.in'],
    command: 'make check',
    setup: 'autoreconf -fi && ./configure',
    setups: { configure: './configure' },
  }),
  {
    tool: 'dotnet',
    ecosystem: '.NET',
    shownBy: 'the nearest solution, or else the nearest test project or project',
    find: findDotnet,
  },
];

/** The last resort: a target that may do anything. */
export const make: ToolRow = {
  tool: 'make',
  ecosystem: 'any',
  shownBy: 'a target `test` or `check` of the makefile',
  find: findMake,
};
