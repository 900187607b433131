/** Layouts of the other languages. */
import { type Layout, layout, none, pack } from './layout.ts';

export const others: readonly Layout[] = [
  layout('cargo', { 'Cargo.toml': '[package]\n', 'Cargo.lock': '' }, [
    'cargo',
    'Cargo.toml',
    'cargo test',
    'cargo fetch --locked',
  ]),
  layout(
    'a cargo workspace',
    { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n', 'a/Cargo.toml': '' },
    ['cargo (workspace)', 'Cargo.toml', 'cargo test --workspace', 'cargo fetch'],
  ),
  layout(
    'Rust with Python fixtures',
    { 'Cargo.toml': '[package]\n', 'tests/test_cli.py': '', 'requirements.txt': 'pytest\n' },
    ['cargo', 'Cargo.toml', 'cargo test', 'cargo fetch'],
  ),
  layout('go', { 'go.mod': '' }, ['go', 'go.mod', 'go test ./...', 'go mod download']),
  layout(
    'a go workspace',
    { 'go.work': 'go 1.22\n\nuse (\n\t./api // the server\n\t./cli\n)\n', 'api/go.mod': '' },
    ['go (workspace)', 'go.work', 'go test ./api/... ./cli/...', 'go mod download'],
  ),
  layout('maven', { 'pom.xml': '' }, [
    'maven',
    'pom.xml',
    'mvn -B test',
    'mvn -B -q dependency:go-offline',
  ]),
  layout('maven by its wrapper', { 'pom.xml': '', mvnw: '' }, [
    'maven',
    'pom.xml',
    './mvnw -B test',
    './mvnw -B -q dependency:go-offline',
  ]),
  layout('gradle', { 'build.gradle.kts': '' }, [
    'gradle',
    'build.gradle.kts',
    'gradle test',
    'gradle testClasses',
  ]),
  layout('gradle by its wrapper', { 'settings.gradle': '', gradlew: '' }, [
    'gradle',
    'settings.gradle',
    './gradlew test',
    './gradlew testClasses',
  ]),
  layout('sbt', { 'build.sbt': '' }, ['sbt', 'build.sbt', 'sbt test', 'sbt update']),
  layout('dotnet', { 'App.sln': '', 'src/App.csproj': '' }, [
    'dotnet',
    'App.sln',
    'dotnet test',
    'dotnet restore',
  ]),
  layout('dotnet with its solution in a folder', { 'src/App.sln': '', 'src/a/A.csproj': '' }, [
    'dotnet',
    'src/App.sln',
    'dotnet test src/App.sln',
    'dotnet restore src/App.sln',
  ]),
  layout('dotnet without a solution', { 'src/App.csproj': '', 'test/App.Tests.csproj': '' }, [
    'dotnet',
    'test/App.Tests.csproj',
    'dotnet test test/App.Tests.csproj',
    'dotnet restore test/App.Tests.csproj',
  ]),
  layout('swift', { 'Package.swift': '.testTarget(name: "ATests")' }, [
    'swift',
    'Package.swift',
    'swift test',
    'swift package resolve',
  ]),
  layout('dart without tests', { 'pubspec.yaml': 'name: a\n' }, none),
  layout('swift without tests', { 'Package.swift': '.target(name: "A")' }, none),
  layout('dart', { 'pubspec.yaml': 'name: a\n', 'test/a_test.dart': '' }, [
    'dart',
    'pubspec.yaml',
    'dart test',
    'dart pub get',
  ]),
  layout(
    'flutter',
    {
      'pubspec.yaml': 'dependencies:\n  flutter:\n    sdk: flutter\n',
      'test/a_test.dart': '',
    },
    ['flutter', 'pubspec.yaml', 'flutter test', 'flutter pub get'],
  ),
  // dart-lang/http, bloc: https://dart.dev/tools/pub/workspaces
  layout(
    'a Dart workspace of many packages',
    {
      'pubspec.yaml': 'name: _\nworkspace:\n  - pkgs/a\n',
      ...Object.fromEntries(
        [...'abcde'].flatMap(n => [
          [`pkgs/${n}/pubspec.yaml`, `name: ${n}\n`],
          [`pkgs/${n}/test/${n}_test.dart`, ''],
        ]),
      ),
    },
    none,
  ),
  layout('mix', { 'mix.exs': '', 'assets/package.json': pack('jest') }, [
    'mix',
    'mix.exs',
    'mix test',
    'mix deps.get',
  ]),
  layout('pest', { 'composer.json': '{"require-dev": {"pestphp/pest": "3"}}', 'phpunit.xml': '' }, [
    'pest',
    'composer.json',
    'vendor/bin/pest',
    'composer install',
  ]),
  layout('phpunit', { 'composer.json': '{}', 'phpunit.xml.dist': '' }, [
    'phpunit',
    'phpunit.xml.dist',
    'vendor/bin/phpunit',
    'composer install',
  ]),
  layout('a composer script', { 'composer.json': '{"scripts": {"test": "tester"}}' }, [
    'composer script',
    'composer.json',
    'composer test',
    'composer install',
  ]),
  layout('rspec', { '.rspec': '', Gemfile: '', Rakefile: 'RSpec::Core::RakeTask.new(:spec)\n' }, [
    'rspec',
    '.rspec',
    'bundle exec rspec',
    'bundle install',
  ]),
  layout('rails', { 'bin/rails': '', Rakefile: '', 'test/models/a_test.rb': '', Gemfile: '' }, [
    'rails',
    'bin/rails',
    'bin/rails test',
    'bundle install',
  ]),
  layout('rake', { Rakefile: 'task :test do\nend\n' }, ['rake', 'Rakefile', 'rake test', '']),
  layout('rake with bundler', { Rakefile: 'Minitest::TestTask.create\n', Gemfile: '' }, [
    'rake',
    'Rakefile',
    'bundle exec rake test',
    'bundle install',
  ]),
  layout('minitest', { 'test/test_a.rb': '' }, [
    'minitest',
    'test/test_a.rb',
    `ruby -Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].each { |f| require "./#{f}" }'`,
    '',
  ]),
  // rack: `rake spec` writes SPEC.rdoc; https://ruby.github.io/rake explains the default task
  layout(
    'rake where another task is called spec',
    {
      Rakefile:
        'task :default => :test\ntask :spec => "SPEC.rdoc"\nRake::TestTask.new("test") do |t|\nend\n',
      Gemfile: '',
    },
    ['rake', 'Rakefile', 'bundle exec rake test', 'bundle install'],
  ),
  layout(
    'rake where only a document is called spec',
    { Rakefile: 'task :spec => "SPEC.rdoc"\n' },
    none,
  ),
  layout(
    'rake with tests of another name',
    { Rakefile: 'task default: %i[unit lint]\nMinitest::TestTask.create(:unit)\n' },
    ['rake', 'Rakefile', 'rake unit', ''],
  ),
  layout(
    'ctest with options in folders, and over several lines',
    {
      'CMakeLists.txt': 'include(CTest)\noption(\n  A_TESTS\n  "Tests\n of a" OFF\n)\n',
      'cmake/o.cmake': 'option(B_TESTS "b"\n OFF)',
      'test/CMakeLists.txt': 'option(C_TESTS "c" OFF)',
    },
    [
      'ctest',
      'CMakeLists.txt',
      'ctest --test-dir build --output-on-failure',
      'cmake -S . -B build -DA_TESTS=ON -DB_TESTS=ON -DC_TESTS=ON && cmake --build build',
    ],
  ),
  layout('ctest', { 'CMakeLists.txt': 'project(a)\nenable_testing()\n', Makefile: 'test:\n' }, [
    'ctest',
    'CMakeLists.txt',
    'ctest --test-dir build --output-on-failure',
    'cmake -S . -B build && cmake --build build',
  ]),
  // spdlog; https://cmake.org/cmake/help/latest/command/option.html: an option is off unless it says ON
  layout(
    'ctest behind an option that is off',
    {
      'CMakeLists.txt':
        'option(SPDLOG_BUILD_TESTS "Build tests" OFF)\noption(SPDLOG_BUILD_BENCH "Build benchmarks" OFF)\nif(SPDLOG_BUILD_TESTS)\n  enable_testing()\nendif()\n',
    },
    [
      'ctest',
      'CMakeLists.txt',
      'ctest --test-dir build --output-on-failure',
      'cmake -S . -B build -DSPDLOG_BUILD_TESTS=ON && cmake --build build',
    ],
  ),
  layout(
    'ctest behind an option that is on',
    { 'CMakeLists.txt': 'option(BUILD_TESTING "Build tests" ON)\ninclude(CTest)\n' },
    [
      'ctest',
      'CMakeLists.txt',
      'ctest --test-dir build --output-on-failure',
      'cmake -S . -B build && cmake --build build',
    ],
  ),
  layout('meson', { 'meson.build': "test('a', exe)\n" }, [
    'meson',
    'meson.build',
    'meson test -C build',
    'meson setup build',
  ]),
  layout('autotools', { 'configure.ac': '', 'Makefile.am': '' }, [
    'autotools',
    'configure.ac',
    'make check',
    'autoreconf -fi && ./configure',
  ]),
  layout('autotools with its script', { configure: '', 'Makefile.in': '' }, [
    'autotools',
    'configure',
    'make check',
    './configure',
  ]),
  layout('make test', { Makefile: 'all:\n\ntest: all\n\t./t\n' }, [
    'make',
    'Makefile',
    'make test',
    '',
  ]),
  layout('the makefile that make takes', { Makefile: 'all:\n', GNUmakefile: 'test:\n' }, [
    'make',
    'GNUmakefile',
    'make test',
    '',
  ]),
  layout('make check', { GNUmakefile: 'check:\n\t./t\n' }, [
    'make',
    'GNUmakefile',
    'make check',
    '',
  ]),
  layout('not a variable named test', { Makefile: 'test := 1\n' }, none),
  layout('nothing', { 'README.md': '' }, none),
];
