/** Classifies files by their path alone: tests, documents, manifests and configuration. */
import { pathMatcher } from '../base/path-patterns.ts';

/** Tests, snapshots and fixtures. */
export const testPatterns: readonly RegExp[] = [
  /(^|\/)(tests?|specs?|__tests__|__mocks__|__snapshots__|testdata|fixtures)\//i,
  /\.(test|spec|e2e)\.[cm]?[jt]sx?$/i,
  /\.snap$/i,
  /(^|\/)(test_[^/]*|[^/]*_test)\.py$/i,
  /(^|\/)conftest\.py$/i,
  /_test\.(go|rs|rb|exs?)$/i,
  /_spec\.rb$/i,
  /(^|\/)[^/]*(Test|Tests|Spec|IT)\.(java|kt|kts|scala|groovy|cs|php|swift)$/,
];

/** Configuration of test runners. */
export const runnerPatterns: readonly RegExp[] = [
  /(^|\/)(vitest|vite|jest|karma|ava|playwright)\.(config|workspace|setup)\.[cm]?[jt]s(on)?$/i,
  /(^|\/)(cypress|mocha|nyc|tap)\.(config|workspace|setup)\.[cm]?[jt]s(on)?$/i,
  /(^|\/)\.(mocharc|nycrc|taprc|c8rc)(\.[a-z]+)?$/i,
  /(^|\/)(pytest\.ini|tox\.ini|noxfile\.py|phpunit\.xml(\.dist)?|\.rspec)$/,
  /(^|\/)(Rakefile|Makefile|GNUmakefile)$/,
];

const documents: readonly RegExp[] = [
  // instructions for agents are not documents, although they have the same format
  /^(?!(.*\/)?(AGENTS|CLAUDE|GEMINI|SKILL|constitution)\.md$).*\.(md|mdx|markdown|rst|adoc|asciidoc)$/i,
  /(^|\/)(docs?|documentation|man)\/.*\.(txt|html|svg|[1-8])$/i,
  /(^|\/)(README|CHANGELOG|CHANGES|HISTORY|NEWS|CONTRIBUTING|AUTHORS|INSTALL|UPGRADING)$/,
];

const manifests: readonly RegExp[] = [
  /(^|\/)(package|composer|deno|bower)\.jsonc?$/,
  /(^|\/)(package-lock|npm-shrinkwrap)\.json$/,
  /(^|\/)[^/]*\.lock(b|file)?$/,
  /(^|\/)pnpm-(lock|workspace)\.yaml$/,
  /(^|\/)requirements[^/]*\.(txt|in)$/,
  /(^|\/)(requirements|constraints)\/[^/]*\.(txt|in)$/,
  /(^|\/)(pyproject|Cargo|Pipfile|libs\.versions|Project)\.toml$/,
  /(^|\/)(setup\.(py|cfg)|Pipfile|environment\.ya?ml)$/,
  /(^|\/)(pubspec\.yaml|mix\.exs|Package\.swift|vcpkg\.json)$/,
  /(^|\/)go\.(mod|sum|work)$/,
  /(^|\/)(Gemfile|[^/]*\.gemspec)$/,
  /(^|\/)(pom\.xml|[^/]*\.gradle(\.kts)?|gradle\.properties)$/,
  /(^|\/)([^/]*\.(cs|fs|vb)proj|Directory\.Packages\.props|packages\.config)$/,
];

/** Configuration of linters, formatters and type checkers. */
const checkPatterns: readonly RegExp[] = [
  /(^|\/)\.?(eslint|oxlint|tslint|jshint|stylelint)(rc|ignore|\.config)?(\.[a-z]+)?$/i,
  /(^|\/)\.?(prettier|biome|dprint)(rc|ignore|\.config)?(\.[a-z]+)?$/i,
  /(^|\/)\.?(flake8|pylintrc|ruff\.toml|mypy\.ini|pyrightconfig\.json)$/i,
  /(^|\/)\.?(pyre_configuration|yamllint.*|editorconfig)$/i,
  /(^|\/)(tsconfig|jsconfig)[^/]*\.json$/i,
  /(^|\/)(\.golangci\.[a-z]+|\.rubocop[^/]*\.yml|clippy\.toml|rustfmt\.toml)$/i,
  /(^|\/)(\.clang-(format|tidy)|detekt[^/]*\.yml|checkstyle[^/]*\.xml|phpstan[^/]*|psalm\.xml)$/i,
  /(^|\/)\.(pre-commit-config\.yaml|lintstagedrc[^/]*)$/i,
];

/** Folders with a dot whose files steer pipelines, hooks, editors, package managers or agents. */
const steeringFolders: readonly RegExp[] = [
  /^\.(git.*|photon|husky|lefthook|circleci|azure.*|buildkite|config|local|ssh|docker|kube|aws)$/,
  /^\.(vscode.*|idea|fleet|zed|devcontainer|storybook|cargo|mvn|yarn|pnpm.*|npm|bundle|nuget)$/,
  /^\.(claude.*|cursor.*|codex.*|gemini.*|aider.*|windsurf.*|roo.*|cline.*|continue|copilot)$/,
  /^\.(agents?|kiro|junie|amazonq|opencode|qwen|goose|trae|augment.*|kilocode|crush|factory|mcp.*)$/,
];

/**
 * True for a file in a folder with a dot that the task of a workflow declares as an output, such as
 * `.ai-sdd/outputs/l1.md`. False when a folder of it steers a tool, or when the task declares only a folder above the
 * one with the dot.
 */
export function isDeclaredDotFolder(path: string, outputs: readonly string[]): boolean {
  const folders = path.toLowerCase().split('/').slice(0, -1);
  if (folders.some(name => steeringFolders.some(r => r.test(name)))) return false;
  return outputs.some(output => {
    const folder = output.replace(/\/?$/, '/');
    if (path !== output && !path.startsWith(folder)) return false;
    return !path
      .slice(folder.length)
      .split('/')
      .slice(0, -1)
      .some(name => name.startsWith('.'));
  });
}

/** The path classes that a skill may use in its guards. */
export const pathClasses = {
  '@tests': testPatterns,
  '@test-config': runnerPatterns,
  '@check-config': checkPatterns,
  '@docs': documents,
  '@manifests': manifests,
} as const satisfies Readonly<Record<string, readonly RegExp[]>>;

/** The first pattern (of paths, or a path class) that a path matches, or null. */
export function findPattern(patterns: readonly string[], path: string): string | null {
  return patterns.find(p => matches(p, path)) ?? null;
}

function matches(pattern: string, path: string): boolean {
  if (Object.hasOwn(pathClasses, pattern))
    return pathClasses[pattern as keyof typeof pathClasses].some(r => r.test(path));
  return pathMatcher([pattern])(path) !== null;
}
