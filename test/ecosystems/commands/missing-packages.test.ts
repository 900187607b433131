import { expect, it } from 'vitest';
import { findMissingPackages } from '../../../src/ecosystems/commands/missing-packages.ts';
import { filesOf } from '../../layouts/layout.ts';

const makefile = {
  Makefile: 'test:\n\tgo test ./...\n',
  'go.mod': 'module a\n\nrequire (\n\tb.c/d v1\n)\n',
};
const looping = {
  ...makefile,
  Makefile:
    'GO ?= go\nLIST := $(shell $(GO) list)\n.PHONY: test\ntest:\n\tfor d in $(LIST); do \\\n\t\tif [ -n "$(TAGS)" ]; then \\\n\t\t\t$(GO) test -v $$d > out; \\\n\t\tfi; \\\n\tdone\n',
};
const tests = {
  'app.py': '',
  'tests/test_a.py': 'import os\nimport app\nfrom requests import get\n',
};
const lock = {
  'Cargo.lock': '[[package]]\nname = "serde"\nversion = "1"\nsource = "registry+x"\n',
};
const gradle = {
  'build.gradle.kts':
    'dependencies {\n  testImplementation("org.junit.jupiter:junit-jupiter:5.10.0")\n  implementation(libs.gson)\n}\n',
  'app/build.gradle': "dependencies {\n  api 'com.example:money:1.2'\n}\n",
  'gradle/libs.versions.toml':
    '[libraries]\ngson = { module = "com.google.code.gson:gson", version = "2.10" }\n',
};
const sbt = {
  'build.sbt': 'libraryDependencies += "org.scalatest" %% "scalatest" % "3.2.17" % Test\n',
};
const pom = {
  'pom.xml':
    '<artifactId>own</artifactId><dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency>',
};

it.each([
  ['make test', makefile, [], '"go test ./..." needs go, which is not on the PATH.'],
  ['make test', looping, [], 'needs go, which is not on the PATH.'],
  ['make test', makefile, ['go'], 'not installed: b.c/d.'],
  ['make test', makefile, ['go', '~/go/pkg/mod'], undefined],
  ['python3 -m pytest', tests, ['python3'], 'not installed: pytest, os, requests.'],
  ['python3 -m pytest', tests, ['python3', '.venv'], 'not installed: pytest, os, requests.'],
  ['.venv/bin/python -m pytest', tests, ['python3'], undefined],
  ['uv run pytest', tests, ['python3'], undefined],
  ['cargo test', lock, ['cargo'], 'not installed: serde.'],
  ['cargo test', lock, ['cargo', '$CARGO_HOME/registry'], undefined],
  ['mvn -B test', pom, ['java'], 'not installed: junit.'],
  ['gradle test', gradle, [], '"gradle test" needs java, which is not on the PATH.'],
  ['gradle test', gradle, ['java'], 'not installed: junit-jupiter, money, gson.'],
  ['./gradlew test', gradle, ['java', '~/.gradle/caches/modules-2'], undefined],
  ['gradle test', { 'build.gradle': 'apply plugin: "java"\n' }, ['java'], undefined],
  ['sbt test', sbt, ['java'], 'not installed: scalatest.'],
  ['sbt test', sbt, ['java', '~/.cache/coursier'], undefined],
] as const)('%s in %o with %j', async (command, files, known, missing) => {
  const has = (name: string) => (known as readonly string[]).includes(name);
  const ask = async (_: string, [, , ...names]: readonly string[]) => names.join(' ');
  const how = { hasProgram: has, exists: has, ask };
  const found = await findMissingPackages(command, filesOf(files), how);
  if (missing === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(missing);
});
