/** Whether a file of a patch decides what the tests are or how they run, and how that is known. Pure. */
import type { FileChange } from '../workspace/files/change.ts';
import type { CommandFiles } from './command-files.ts';
import { definesTests, inlineTests, usesTestLibrary } from './test-code.ts';
import { touchesTests } from './test-paths.ts';

export interface TestRole {
  /** `tests`: a test by the project's own words; everything else is looked at whatever the task says. */
  readonly kind: 'tests' | 'means';
  /** For the reader of a pull request. */
  readonly reason: string;
  /** True: the patch must pass with the base's version of this file, too. */
  readonly decides: boolean;
}

/** Files that tools bring, and that a project can hold in place of what its lock file names. */
const tools: readonly RegExp[] = [
  /(^|\/)(node_modules|bower_components|\.yarn|\.pnpm|site-packages|dist-packages|\.?venv|\.tox|\.nox|\.bundle)\//,
  /(^|\/)\.pnp\.[cm]?js$/,
  /(^|\/)(org\/junit|junit\/framework|org\/testng|org\/hamcrest|org\/mockito)\//,
  /(^|\/)(sitecustomize|usercustomize)\.py$|\.pth$/,
];

/** Configuration that steers runners, compilers and builds, and that honest changes of the source need as well. */
const steering: readonly RegExp[] = [
  /(^|\/)(babel|swc|webpack|rollup|esbuild|tsup|metro|rspack)\.config\.[cm]?[jt]s(on)?$/i,
  /(^|\/)(tsconfig|jsconfig)[^/]*\.json$/i,
  /(^|\/)(bunfig\.toml|deno\.jsonc?|lerna\.json|nx\.json|turbo\.json|build\.rs|go\.work)$/,
  /(^|\/)(CMakeLists\.txt|meson\.build|BUILD(\.bazel)?|WORKSPACE|[Jj]ustfile|Taskfile\.ya?ml|[^/]*\.(mk|cmake|bzl))$/,
  /(^|\/)(gradle\.properties|Directory\.(Build|Packages)\.(props|targets)|mix\.exs|composer\.json|Package\.swift)$/,
];

/** Modules that Python's test runners load: a file of that name in the root folder is loaded in their place. */
const loadedByRunners = new Set(
  'argparse ast atexit collections contextlib copy dataclasses datetime difflib doctest enum fnmatch functools gc glob importlib inspect io json linecache locale logging math operator os pathlib pdb pickle platform pprint queue random re runpy select selectors shlex shutil signal site socket stat string struct subprocess sys sysconfig tempfile textwrap threading time timeit token tokenize traceback types typing unittest uuid warnings weakref pytest _pytest pluggy iniconfig packaging hypothesis nose nose2 tox coverage'.split(
    ' ',
  ),
);

/** What a program is called that checks others. */
const checkName = /(^|[^a-z])(tests?|testing|specs?|checks?|verify|suites?|ci|e2e|qa)([^a-z]|$)/i;
const helperName =
  /(^|[^a-z])(tests?[-_.]?(utils?|helpers?|support|setup|lib|kit|base)|spec[-_.]helpers?|testing|test-?harness)([^a-z]|$)/i;

/** The role of a changed file; null for an ordinary one. */
export function roleOf(change: FileChange, command: CommandFiles): TestRole | null {
  const { path } = change;
  if (touchesTests(change)) return { kind: 'tests', reason: 'tests', decides: true };
  if (tools.some(t => t.test(path)) || shadows(change))
    return means('it takes the place of a tool that the tests run with', true);
  if (command.isNamed(path)) return means('the test command loads it', true);
  if (command.started.has(path)) return means('the test command starts it', checkName.test(path));
  return roleOfText(change) ?? (steering.some(s => s.test(path)) ? steers : null);
}

const steers: TestRole = {
  ...{ kind: 'means', reason: 'it steers how the project is built and tested', decides: false },
};

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
    return means('it works with a test library', false);
  return helperName.test(change.path) && /\.\w+$/.test(change.path) && !isDocument(change.path)
    ? means('a helper of tests by its name', false)
    : null;
}

function isDocument(path: string): boolean {
  return /\.(md|mdx|rst|txt|adoc|html)$/i.test(path);
}

/** A new file in the root folder that Python finds before the module of that name. */
function shadows({ path, before }: FileChange): boolean {
  const name = /^(?:src\/)?(\w+)(?:\.py|\/__init__\.py)$/.exec(path)?.[1];
  return before === null && name !== undefined && loadedByRunners.has(name);
}

/** Text of a state; empty where there is none. */
export function textOf(state: FileChange['before']): string {
  return state === null ? '' : Buffer.from(state.bytes).toString('utf8');
}
