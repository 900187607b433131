/** Rows of the detection table for Python: what runs the tests, inside the environment of what manages it. Pure. */
import { shell } from '../../process/shell.ts';
import type { ProjectFolder } from '../shared/project-files.ts';
import { findSign, type Sign, type ToolRow } from '../shared/tool-row.ts';

/** What holds the packages of a project, and how a program is started with them. */
interface PythonManager {
  readonly signs: readonly Sign[];
  /** Before a program, with a space at its end. */
  readonly run: string;
  readonly python: string;
  readonly setup: (folder: ProjectFolder, needs: Needs) => string;
}

/** What the tests need beside the packages of the project. */
interface Needs {
  /** Names of extras for tests in `project.optional-dependencies`. */
  readonly extras: readonly string[];
  /** Names of groups for tests that are not installed anyway. */
  readonly groups: readonly string[];
  /** `-r FILE`, `-e .` and packages for pip. */
  readonly pip: readonly string[];
  readonly workspace: boolean;
}

const options = (name: string, values: readonly string[]) =>
  values.map(value => ` ${name} ${value}`).join('');

/** In order. */
const managers: readonly PythonManager[] = [
  {
    signs: ['uv.lock', ['pyproject.toml', /^\[tool\.uv[.\]]/m]],
    run: 'uv run ',
    python: 'uv run python',
    setup: (folder, { extras, groups, workspace }) =>
      `uv sync${folder.has('uv.lock') ? ' --frozen' : ''}${workspace ? ' --all-packages' : ''}` +
      `${options('--extra', extras)}${options('--group', groups)}`,
  },
  {
    signs: ['poetry.lock', ['pyproject.toml', /^\[tool\.poetry[.\]]/m]],
    run: 'poetry run ',
    python: 'poetry run python',
    setup: (_, { extras, groups }) =>
      `poetry install${options('--extras', extras)}${options('--with', groups)}`,
  },
  {
    // `tool.pdm` alone may only configure its build backend
    signs: ['pdm.lock', ['pyproject.toml', /^\[tool\.pdm\.(?:dev-dependencies|scripts)\]/m]],
    run: 'pdm run ',
    python: 'pdm run python',
    setup: (_, { extras }) => `pdm install${options('-G', extras)}`,
  },
  {
    signs: ['Pipfile'],
    run: 'pipenv run ',
    python: 'pipenv run python',
    setup: folder => `pipenv ${folder.has('Pipfile.lock') ? 'sync' : 'install'} --dev`,
  },
  {
    signs: [/^/],
    run: '',
    python: 'python3',
    setup: (_, { pip }) => (pip.length === 0 ? '' : `python3 -m pip install ${pip.join(' ')}`),
  },
];

const testNames = /^(?:unit)?test(?:s|ing)?$/;

/** The keys of a table in a TOML text: below its heading, as dotted keys of the table above, or in an inline table. */
function listTableKeys(text: string, table: string): readonly string[] {
  const keys = [...tableBody(text, table).matchAll(/^["']?([\w.-]+)["']?[ \t]*=/gm)].map(
    m => m[1] ?? '',
  );
  const end = table.lastIndexOf('.');
  if (end < 0) return keys;
  const name = table.slice(end + 1);
  const above = tableBody(text, table.slice(0, end));
  const dotted = above.matchAll(new RegExp(`^${name}\\.["']?([\\w-]+)["']?[ \\t]*=`, 'gm'));
  const inline = new RegExp(`^${name}[ \\t]*=[ \\t]*\\{([^}]*)\\}`, 'm').exec(above)?.[1] ?? '';
  const within = inline.matchAll(/(?:^|[,{\s])["']?([\w-]+)["']?[ \t]*=/g);
  return [...keys, ...[...dotted, ...within].map(m => m[1] ?? '')];
}

/** The text below the heading of a table, up to the next heading. */
function tableBody(text: string, table: string): string {
  const start = text.indexOf(`[${table}]`);
  return start < 0 ? '' : (text.slice(start + table.length + 2).split(/^\[[\w[]/m)[0] ?? '');
}

/** Names for tests, or else those for development. */
function forTests(names: readonly string[]): readonly string[] {
  const tests = names.filter(name => testNames.test(name));
  return tests.length > 0 ? tests : names.filter(name => name === 'dev');
}

const requirementFiles =
  /^(((dev|tests?)[-_])?requirements([-_.](dev|tests?))?|requirements\/(base|main|dev|tests?))\.txt$/;

async function detectNeeds(folder: ProjectFolder): Promise<Needs> {
  const text = (await folder.read('pyproject.toml')) ?? '';
  const cfg = (await folder.read('setup.cfg')) ?? '';
  const extras = forTests([
    ...listTableKeys(text, 'project.optional-dependencies'),
    ...listTableKeys(text, 'tool.poetry.extras'),
    ...listTableKeys(cfg, 'options.extras_require'),
  ]);
  const optional = [
    ...text.matchAll(/^\[tool\.poetry\.group\.([\w-]+)\]\s*\noptional\s*=\s*true/gm),
  ].map(m => m[1] ?? '');
  const groups = listTableKeys(text, 'dependency-groups');
  const isPackage =
    /^\[(?:project|build-system)\]/m.test(text) || folder.has('setup.py') || cfg !== '';
  const packages = isPackage ? [`-e ${extras.length > 0 ? `'.[${extras.join(',')}]'` : '.'}`] : [];
  const files = folder.paths.filter(p => requirementFiles.test(p)).map(p => `-r ${p}`);
  const pipGroups = forTests(groups).map(name => `--group ${name}`);
  return {
    extras,
    groups: [...groups.filter(name => testNames.test(name)), ...forTests(optional)],
    pip: [...files, ...packages, ...pipGroups],
    workspace: /^\[tool\.uv\.workspace\]/m.test(text),
  };
}

/** True if a file that lists packages names pytest. Tables that configure it, and comments, install nothing. */
async function namesPytest(
  folder: ProjectFolder,
  manifests = /^(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile)$/,
): Promise<boolean> {
  const lists = folder.paths.filter(p => requirementFiles.test(p) || manifests.test(p));
  const name = /^(?!\s*(?:\[tool[.:]pytest|#)).*\bpytest\b/m;
  for (const path of lists) if (name.test((await folder.read(path)) ?? '')) return true;
  return false;
}

/** What runs the tests. */
interface Run {
  readonly because: string;
  /** A program for the manager to run. */
  readonly program?: string;
  /** Arguments of the interpreter. */
  readonly python?: string;
}

type FindRun = (folder: ProjectFolder) => Promise<Run | undefined>;

/** Finds a run by any of the signs. */
const findBy =
  (signs: readonly Sign[], run: Omit<Run, 'because'>): FindRun =>
  async folder => {
    const because = await findSign(folder, signs);
    return because === undefined ? undefined : { because, ...run };
  };

const byTable = (
  tool: string,
  { find, ...about }: Omit<ToolRow, 'tool' | 'find'> & { readonly find: FindRun },
): ToolRow => ({
  ...about,
  tool,
  find: async folder => {
    const run = await find(folder);
    if (run === undefined) return undefined;
    const { because, program, python } = run;
    for (const manager of managers) {
      if ((await findSign(folder, manager.signs)) === undefined) continue;
      const needs = await detectNeeds(folder);
      const extra = program === 'pytest' && !(await namesPytest(folder)) ? ['pytest'] : [];
      const pip = [...needs.pip, ...extra];
      const setup = manager.setup(folder, { ...needs, pip });
      // `python3 -m pytest` also finds the modules of the folder itself
      const command =
        program !== undefined && manager.run !== ''
          ? `${manager.run}${program}`
          : `${manager.python} ${program === undefined ? python : `-m ${program}`}`;
      return { command, setup, because };
    }
    return undefined;
  },
});

const pytestConfigured: readonly Sign[] = [
  'pytest.ini',
  '.pytest.ini',
  'pytest.toml',
  ['pyproject.toml', /^\[tool\.pytest/m],
  ['setup.cfg', /^\[tool:pytest\]/m],
  ['tox.ini', /^\[pytest\]/m],
];

const testFile = /^(?:(?:tests?|testing)\/(?:.*\/)?)?(?:test_[^/]*|[^/]*_test)\.py$/;
const nestedTestFile = /\/tests?\/(?:.*\/)?(?:test_[^/]*|[^/]*_test)\.py$/;
const pythonManifest = /^(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile|requirements[^/]*\.txt)$/;

/** Number of test files that are read for what runs them. */
const maxTestFiles = 20;
/** What pytest alone runs: its own module, and tests that are functions. */
const pytestOnly = /^[ \t]*(?:import|from) pytest\b|^(?:async )?def test_(?!suite\b|main\b)\w*\(/m;

/** The options of unittest that find the tests. */
function discovery(folder: ProjectFolder, path: string): string {
  const top = path.includes('/') ? (path.split('/')[0] ?? '') : '';
  const start = top === '' || folder.has(`${top}/__init__.py`) ? '' : ` -s ${shell.quoted(top)}`;
  const pattern = /_test\.py$/.test(path) ? " -p '*_test.py'" : '';
  return start + pattern === '' ? '-m unittest' : `-m unittest discover${start}${pattern}`;
}

async function findByFiles(folder: ProjectFolder, tool: 'pytest' | 'unittest') {
  const isPython = folder.paths.some(p => pythonManifest.test(p));
  const because =
    folder.paths.find(p => testFile.test(p)) ??
    folder.paths.find(p => isPython && nestedTestFile.test(p));
  if (because === undefined || (await findSign(folder, pytestConfigured)) !== undefined)
    return undefined;
  const tests = folder.paths.filter(p => testFile.test(p) || nestedTestFile.test(p));
  const texts = await Promise.all(
    tests.slice(0, maxTestFiles).map(async p => (await folder.read(p)) ?? ''),
  );
  const plain =
    texts.some(text => /^[ \t]*(?:import|from) unittest\b/m.test(text)) &&
    !texts.some(text => pytestOnly.test(text)) &&
    !folder.paths.some(p => /(?:^|\/)conftest\.py$/.test(p)) &&
    !(await namesPytest(folder)) &&
    !(await namesPytest(folder, /^(?:tox\.ini|noxfile\.py)$/));
  if (plain !== (tool === 'unittest')) return undefined;
  return plain ? { because, python: discovery(folder, because) } : { because, program: 'pytest' };
}

/** In order. Configured, so that they come before the tools of other languages. */
export const configuredTools: readonly ToolRow[] = [
  byTable('pytest (configured)', {
    shownBy: '`pytest.ini`, or a section for pytest in `pyproject.toml`, `setup.cfg` or `tox.ini`',
    find: findBy(pytestConfigured, { program: 'pytest' }),
  }),
];

/** In order. Only test files show these, so that other languages come before them. */
export const guessedTools: readonly ToolRow[] = [
  byTable('django', {
    shownBy: '`manage.py` that names Django',
    find: findBy([['manage.py', /django/]], { python: 'manage.py test' }),
  }),
  byTable('unittest', {
    shownBy: 'test files that import `unittest`, where nothing names pytest',
    find: folder => findByFiles(folder, 'unittest'),
  }),
  byTable('pytest', {
    shownBy: '`test_*.py` or `*_test.py`, in the folder or below a folder `tests`',
    find: folder => findByFiles(folder, 'pytest'),
  }),
];
