/** Matches paths with patterns and path classes, whose patterns are given, and knows folders that steer tools. */
import { pathMatcher } from '../base/path-patterns.ts';

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
export const pathClassNames = [
  '@tests',
  '@test-config',
  '@check-config',
  '@docs',
  '@manifests',
] as const;

export type PathClass = (typeof pathClassNames)[number];

/** The patterns of each path class. */
export type PathClasses = Readonly<Record<PathClass, readonly RegExp[]>>;

/** True for the name of a path class. */
export function isPathClass(pattern: string): pattern is PathClass {
  return (pathClassNames as readonly string[]).includes(pattern);
}

/** The first pattern (of paths, or a path class) that a path matches, or undefined. */
export function findPattern(
  classes: PathClasses,
  patterns: readonly string[],
  path: string,
): string | undefined {
  const matches = (pattern: string) =>
    isPathClass(pattern)
      ? classes[pattern].some(r => r.test(path))
      : pathMatcher([pattern])(path) !== undefined;
  return patterns.find(matches);
}
