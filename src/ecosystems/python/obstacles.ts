/** What hinders the tests of Python in a way that no edit of the code repairs. Pure; outputs are untrusted. */
import { install, type Obstacle, startsMissing } from '../shared/obstacle.ts';

/** How a project installs itself, by the tool in front of its tests. */
const installsItself: Readonly<Record<string, string>> = {
  poetry: 'poetry install --only-root',
  pdm: 'pdm install',
  pipenv: 'pipenv run pip install --no-deps -e .',
  rye: 'rye sync',
  uv: 'uv sync',
};

const missingPython: Obstacle = ({ text, file }, { paths, testCommand }) => {
  const name = /(?:ModuleNotFoundError|ImportError): No module named '?([\w.]{1,200})'?/.exec(
    text,
  )?.[1];
  if (name === undefined) return undefined;
  const [top = ''] = name.split('.');
  const place = paths.find(
    p => p === `${top}.py` || p.endsWith(`/${top}.py`) || startsPackage(p, top),
  );
  const by = file === '' ? '' : `: ${file} needs it`;
  if (place === undefined) return `The Python module "${top}" is not installed${by}. ${install}`;
  // a module that its own package lacks may be the fault itself
  if (name !== top) return undefined;
  const [, tool = ''] = /\b(poetry|pdm|pipenv|rye|uv) run\b/.exec(testCommand ?? '') ?? [];
  const own = installsItself[tool] ?? 'pip install --no-deps -e .';
  return `Python does not find the module "${top}" of the repository (${place})${by}. Set setup-command to "${own}", or name its folder in PYTHONPATH in front of test-command.`;
};

const startsPackage = (path: string, name: string) =>
  path === `${name}/__init__.py` || path.endsWith(`/${name}/__init__.py`);

/** A test runner that is not installed. */
const missingRunner: Obstacle = ({ text, loads }) => {
  const name = /No module named (pytest|unittest|tox|nox)\s*$/m.exec(text)?.[1];
  return loads && name !== undefined ? startsMissing(name) : undefined;
};

const collectionError: Obstacle = ({ text, file }) => {
  const fixture = /FixtureLookupError: \('(\w+)'/.exec(text)?.[1];
  const words =
    (fixture && `fixture "${fixture}" not found`) ??
    /unrecognized arguments: .*/.exec(text)?.[0] ??
    /^ImportError while loading conftest .*$/m.exec(text)?.[0] ??
    /^(?:ERROR|.*error): (?:usage|not found|file or directory not found).*$/m.exec(text)?.[0] ??
    /^INTERNALERROR>? .*$/m.exec(text)?.[0];
  if (words === undefined) return undefined;
  return `pytest cannot collect the tests${file === '' ? '' : ` of ${file}`}: ${words.slice(0, 300)}. Repair what it names, or install the plugin that provides it.`;
};

/** In order: the first that fits is said. */
export const obstacles: readonly Obstacle[] = [missingRunner, missingPython, collectionError];
