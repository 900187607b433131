/** Decides whether a file of a patch is a test or affects how tests run, and explains why. Pure. */
import type { FileChange } from '../../workspace/files/change.ts';
import type { CommandFiles } from '../commands/command-files.ts';
import { definesTests, inlineTests, usesTestLibrary } from './test-code.ts';
import { touchesTests } from './test-paths.ts';

export interface TestRole {
  /** `tests`: the file holds tests. `means`: it affects how they run, and is reported whatever the task says. */
  readonly kind: 'tests' | 'means';
  /** Why, for the reader of the pull request. */
  readonly reason: string;
  /** True if the patch must also pass with the base's version of this file. */
  readonly decides: boolean;
}

/** Installed files of tools: a project can hold a copy that replaces the one from its lock file. */
const tools: readonly RegExp[] = [
  /(^|\/)(node_modules|bower_components|\.yarn|\.pnpm|site-packages|dist-packages|\.?venv|\.tox|\.nox|\.bundle)\//,
  /(^|\/)\.pnp\.[cm]?js$/,
  /(^|\/)(org\/junit|junit\/framework|org\/testng|org\/hamcrest|org\/mockito)\//,
  /(^|\/)(sitecustomize|usercustomize)\.py$|\.pth$/,
];

/** Configuration of runners, compilers and builds, which honest changes of the source may need, too. */
const steering: readonly RegExp[] = [
  /(^|\/)(babel|swc|webpack|rollup|esbuild|tsup|metro|rspack)\.config\.[cm]?[jt]s(on)?$/i,
  /(^|\/)(tsconfig|jsconfig)[^/]*\.json$/i,
  /(^|\/)(bunfig\.toml|deno\.jsonc?|lerna\.json|nx\.json|turbo\.json|build\.rs|go\.work)$/,
  /(^|\/)(CMakeLists\.txt|meson\.build|BUILD(\.bazel)?|WORKSPACE|[Jj]ustfile|Taskfile\.ya?ml|[^/]*\.(mk|cmake|bzl))$/,
  /(^|\/)(gradle\.properties|Directory\.(Build|Packages)\.(props|targets)|mix\.exs|composer\.json|Package\.swift)$/,
];

/** Modules that Python's test runners load: a file of that name in the root folder would replace them. */
const loadedByRunners = new Set(
  'argparse ast atexit collections contextlib copy dataclasses datetime difflib doctest enum fnmatch functools gc glob importlib inspect io json linecache locale logging math operator os pathlib pdb pickle platform pprint queue random re runpy select selectors shlex shutil signal site socket stat string struct subprocess sys sysconfig tempfile textwrap threading time timeit token tokenize traceback types typing unittest uuid warnings weakref pytest _pytest pluggy iniconfig packaging hypothesis nose nose2 tox coverage'.split(
    ' ',
  ),
);

/** Names of programs that run checks. */
const checkName = /(^|[^a-z])(tests?|testing|specs?|checks?|verify|suites?|ci|e2e|qa)([^a-z]|$)/i;
const helperName =
  /(^|[^a-z])(tests?[-_.]?(utils?|helpers?|support|setup|lib|kit|base)|spec[-_.]helpers?|testing|test-?harness)([^a-z]|$)/i;

/** The role of a changed file; null for an ordinary one. */
export function roleOf(change: FileChange, command: CommandFiles): TestRole | null {
  const { path } = change;
  if (touchesTests(change)) return { kind: 'tests', reason: 'tests', decides: true };
  if (tools.some(t => t.test(path)) || shadows(change))
    return means('it replaces a tool that the tests use', true);
  if (command.isNamed(path)) return means('the test command loads it', true);
  if (command.started.has(path)) return means('the test command starts it', checkName.test(path));
  const steers = steering.some(s => s.test(path));
  return (
    roleOfText(change) ??
    (steers ? means('it configures how the project is built and tested', false) : null)
  );
}

function means(reason: string, decides: boolean): TestRole {
  return { kind: 'means', reason, decides };
}

function roleOfText(change: FileChange): TestRole | null {
  const before = textOf(change.before);
  const after = textOf(change.after);
  if (definesTests(before) || (before === '' && definesTests(after)))
    return { kind: 'tests', reason: 'tests', decides: true };
  if (inlineTests(before) !== inlineTests(after) && inlineTests(before) !== '')
    return { kind: 'tests', reason: 'tests inside a source file', decides: false };
  if (usesTestLibrary(before) || usesTestLibrary(after))
    return means('it uses a test library', false);
  return helperName.test(change.path) && /\.\w+$/.test(change.path) && !isDocument(change.path)
    ? means('its name is that of a test helper', false)
    : null;
}

function isDocument(path: string): boolean {
  return /\.(md|mdx|rst|txt|adoc|html)$/i.test(path);
}

/** True for a new file in the root folder that Python finds before the module of that name. */
function shadows({ path, before }: FileChange): boolean {
  const name = /^(?:src\/)?(\w+)(?:\.py|\/__init__\.py)$/.exec(path)?.[1];
  return before === null && name !== undefined && loadedByRunners.has(name);
}

/** The text of a state; empty if the file does not exist. */
export function textOf(state: FileChange['before']): string {
  return state === null ? '' : Buffer.from(state.bytes).toString('utf8');
}
