/** Manifests: what is of the class `@manifests` is also what reviewers are told of, in every ecosystem. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathClasses } from '../../../src/ecosystems/tests/path-classes.ts';
import { parseConstitution } from '../../../src/guard/policy/parse-constitution.ts';
import { describeFiles } from '../../../src/run/final-check.ts';
import type { Run } from '../../../src/run/stages.ts';
import { root } from '../../root.ts';

const constitution = parseConstitution(
  readFileSync(join(root, 'constitution', 'photon.md'), 'utf8'),
  'constitution/photon.md',
);

const names =
  'package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lockb bower.json deno.json deno.lock ' +
  'pyproject.toml requirements.txt requirements-dev.txt constraints.txt Pipfile Pipfile.lock poetry.lock uv.lock setup.py setup.cfg environment.yml pixi.toml ' +
  'Cargo.toml Cargo.lock go.mod go.sum go.work build.zig.zon Gemfile Gemfile.lock gems.rb shop.gemspec composer.json composer.lock ' +
  'cpanfile Makefile.PL Build.PL mix.exs mix.lock pubspec.yaml pubspec.lock Package.swift Package.resolved Podfile shop.podspec ' +
  'stack.yaml package.yaml shop.cabal cabal.project project.clj deps.edn pom.xml build.gradle build.gradle.kts settings.gradle libs.versions.toml build.sbt ' +
  'Shop.csproj Shop.fsproj Directory.Packages.props packages.config global.json conanfile.txt conanfile.py vcpkg.json ' +
  'Project.toml Manifest.toml DESCRIPTION rebar.config dune-project shop.opam shop.nimble shard.yml dub.json shop.rockspec elm.json rebar.lock MODULE.bazel flake.nix';

it.each(names.split(' '))('%s is a manifest for guards and for reviewers', name => {
  for (const path of [name, `services/shop/${name}`]) {
    expect(
      pathClasses['@manifests'].some(r => r.test(path)),
      path,
    ).toBe(true);
    const bytes = Buffer.from('x\n');
    const change = { path, before: undefined, after: { mode: '100644', bytes } } as const;
    const [file] = describeFiles({
      services: { session: { changes: () => [change] } },
      policy: { constitution, shipped: constitution },
      request: { task: { prompt: '' } },
      state: {},
    } as unknown as Run);
    expect(file?.flag, path).toBeDefined();
  }
});
