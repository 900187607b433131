/** The path classes of all ecosystems, with what belongs to none of them, and what they say of a path. Plain data for the guard. */
import { type PathClass, type PathClasses, pathClassNames } from '../../guard/paths.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { ecosystems } from '../index.ts';

const general: Readonly<Partial<Record<PathClass, readonly RegExp[]>>> = {
  '@tests': [
    /(^|\/)(tests?|specs?|__tests__|__mocks__|__snapshots__|testdata|fixtures)\//i,
    /\.(snap|ambr|approved\.\w+)$/i,
  ],
  '@check-config': [/(^|\/)\.?(yamllint.*|editorconfig)$/i, /(^|\/)\.pre-commit-config\.yaml$/i],
  '@docs': [
    // instructions for agents are not documents, although they have the same format
    /^(?!(.*\/)?(AGENTS|CLAUDE|GEMINI|SKILL|constitution)\.md$).*\.(mdx?|markdown|rst|a(scii)?doc)$/i,
    /(^|\/)(docs?|documentation|man)\/.*\.(txt|html|svg|[1-8])$/i,
    /(^|\/)(README|CHANGELOG|CHANGES|HISTORY|NEWS|CONTRIBUTING|AUTHORS|INSTALL|UPGRADING)$/,
  ],
  // those of ecosystems without a folder of their own here, too
  '@manifests': [
    /(^|\/)[^/]*\.(lock(b|file)?|opam|nimble|rockspec)$/,
    /(^|\/)(libs\.versions|Project|Manifest|pixi|uv|poetry|hatch)\.toml$/,
    /(^|\/)((stack|package)\.yaml|[^/]+\.cabal|cabal\.project|build\.zig\.zon)$/,
    /(^|\/)(cpanfile|Makefile\.PL|Build\.PL|DESCRIPTION|rebar\.config|dune-project|project\.clj)$/,
    /(^|\/)(deps\.edn|shard\.yml|elm\.json|dub\.(json|sdl)|MODULE\.bazel|flake\.nix)$/,
  ],
};

/** The patterns of each path class that a skill may use in its guards. */
export const pathClasses = Object.fromEntries(
  pathClassNames.map(name => [
    name,
    [...(general[name] ?? []), ...ecosystems.flatMap(({ paths }) => paths?.[name] ?? [])],
  ]),
) as unknown as PathClasses;

const patterns = [...pathClasses['@tests'], ...pathClasses['@test-config']];

/** Manifests that hold other data besides runner configuration: only the matching part is compared. */
const sections = new Map(
  ecosystems.flatMap(({ influence }) => Object.entries(influence?.sections ?? {})),
);

/** True for a test, a snapshot or a test fixture. */
export function isTestPath(path: string): boolean {
  return patterns.some(p => p.test(path));
}

/** True if a change affects whether tests pass. */
export function touchesTests(change: FileChange): boolean {
  if (isTestPath(change.path)) return true;
  const section = sections.get(change.path.split('/').at(-1) ?? '');
  if (section === undefined) return false;
  const text = (state: FileChange['before']) =>
    state === undefined ? '' : section(Buffer.from(state.bytes).toString('utf8'));
  return text(change.before) !== text(change.after);
}
