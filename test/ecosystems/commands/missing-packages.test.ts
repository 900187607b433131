import { expect, it } from 'vitest';
import { findMissingPackages } from '../../../src/ecosystems/commands/missing-packages.ts';
import { filesOf } from '../../layouts/layout.ts';

const makefile = {
  Makefile: 'test:\n\tgo test ./...\n',
  'go.mod': 'module a\n\nrequire (\n\tb.c/d v1\n)\n',
};
const tests = {
  'app.py': '',
  'tests/test_a.py': 'import os\nimport app\nfrom requests import get\n',
};
const lock = {
  'Cargo.lock': '[[package]]\nname = "serde"\nversion = "1"\nsource = "registry+x"\n',
};
const pom = { 'pom.xml': '<artifactId>own</artifactId><artifactId>junit</artifactId>' };

it.each([
  ['make test', makefile, [], '"go test ./..." needs go, which is not on the PATH.'],
  ['make test', makefile, ['go'], 'not installed: b.c/d.'],
  ['make test', makefile, ['go', '~/go/pkg/mod'], undefined],
  ['python3 -m pytest', tests, ['python3'], 'not installed: pytest, os, requests.'],
  ['python3 -m pytest', tests, ['python3', '.venv'], undefined],
  ['uv run pytest', tests, ['python3'], undefined],
  ['cargo test', lock, ['cargo'], 'not installed: serde.'],
  ['cargo test', lock, ['cargo', '$CARGO_HOME/registry'], undefined],
  ['mvn -B test', pom, ['java'], 'not installed: junit.'],
] as const)('%s in %o with %j', async (command, files, known, missing) => {
  const has = (name: string) => (known as readonly string[]).includes(name);
  const ask = async (_: string, [, , ...names]: readonly string[]) => names.join(' ');
  const how = { hasProgram: has, exists: has, ask };
  const found = await findMissingPackages(command, filesOf(files), how);
  if (missing === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(missing);
});
