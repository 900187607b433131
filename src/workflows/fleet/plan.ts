/** Implements `mode: plan`: maintenance tasks × packages × repositories as the rows of a job matrix. */
import { decideStart, isDisabled } from '../../agent/limits/gate.ts';
import { PhotonError } from '../../base/codes.ts';
import { pathMatcher } from '../../base/path-patterns.ts';
import { folderOf } from '../../guard/paths.ts';
import { formatMessage } from '../../hosts/github/api/github-errors.ts';
import type { GitHubEnvironment } from '../../hosts/github/auth/repository-context.ts';
import { type FleetRow, isCooling, stateFor } from '../../hosts/github/maintenance/tasks.ts';
import { withGitHub } from '../../hosts/github/open-github.ts';
import type { RunInput } from '../../hosts/host.ts';
import type { MaintenanceTask } from '../../settings/maintenance.ts';

/** Maximum rows of one matrix (GitHub's limit of jobs per matrix). */
export const maxRows = 256;

/** A task of the plan, before it is multiplied by packages and repositories. */
type PlannedTask = Pick<MaintenanceTask, 'name' | 'prompt' | 'labels' | 'paths' | 'skills'>;

/** A repository with its packages; no packages means the whole repository. */
interface RepositoryPackages {
  readonly repository: string;
  readonly packages: readonly string[];
}

/** The rows, ordered by task, then repository, then package. @throws PhotonError `FLEET_TOO_LARGE`. */
export function planRows(
  tasks: readonly PlannedTask[],
  repositories: readonly RepositoryPackages[],
): readonly FleetRow[] {
  const rows = tasks.flatMap(task =>
    repositories.flatMap(({ repository, packages }) =>
      (packages.length === 0 ? [''] : packages).map(folder => makeRow(task, repository, folder)),
    ),
  );
  if (rows.length > maxRows)
    throw new PhotonError('FLEET_TOO_LARGE', `The plan has ${rows.length} rows.`);
  return withOwnIds(rows, repositories.length > 1);
}

function makeRow(task: PlannedTask, repository: string, folder: string): FleetRow {
  const { name, prompt, labels = [], paths = [], skills = [] } = task;
  const maintenance = name === inputTask ? '' : name;
  return {
    id: name,
    task: prompt,
    repository,
    package: folder,
    maintenance,
    labels,
    paths,
    skills,
  };
}

/** Name of the task from the input, which is not a maintenance task. */
const inputTask = 'task';

/** Adds an id from task, repository and folder to each row; a number makes repeated ids unique. */
function withOwnIds(rows: readonly FleetRow[], several: boolean): readonly FleetRow[] {
  const taken = new Set<string>();
  return rows.map(row => {
    const parts = [row.id, several ? row.repository.split('/')[1] : '', row.package];
    const plain = parts
      .join('-')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 52)
      .replace(/(?<!-)-+$/, '');
    let id = plain;
    for (let n = 2; taken.has(id); n++) id = `${plain}-${n}`;
    taken.add(id);
    return { ...row, id };
  });
}

/** Folders that match a pattern and contain a file, directly or below; none inside another one. */
export function findPackages(
  patterns: readonly string[],
  paths: readonly string[],
): readonly string[] {
  const folders = new Set(
    paths.flatMap(path => {
      const parts = path.split('/').slice(0, -1);
      return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
    }),
  );
  const named = pathMatcher(patterns);
  const isOutermost = (folder: string) =>
    named(folder) !== undefined && named(folderOf(folder)) === undefined;
  return [...folders].filter(isOutermost).sort();
}

/**
 * Plans the fleet of the trusted configuration, or only the task of the input `task`.
 * @throws PhotonError `FLEET_TOO_LARGE`, `NO_MAINTENANCE`, and what opening a run throws.
 */
export async function planFleet(input: RunInput): Promise<readonly FleetRow[]> {
  if (isDisabled(input.env)) return [];
  const prompt = input.inputs.task?.trim() ?? '';
  return withGitHub(input, { kind: 'schedule' }, async opened => {
    if (decideStart(opened.settings, input.now()) !== undefined) return [];
    const tasks = prompt === '' ? await dueTasks(opened) : [{ name: inputTask, prompt }];
    return planRows(tasks, await findPackagesOfAll(opened));
  });
}

async function dueTasks(opened: GitHubEnvironment): Promise<readonly PlannedTask[]> {
  const { maintenance } = opened.settings;
  if (maintenance.length === 0) throw new PhotonError('NO_MAINTENANCE');
  const state = await stateFor(opened, maintenance);
  return maintenance.filter(m => !isCooling(m, state[m.name]?.at, opened.input.now()));
}

async function findPackagesOfAll(opened: GitHubEnvironment) {
  const { settings, repository } = opened;
  const { packages, repositories } = settings.fleet;
  const named = repositories.length === 0 ? [repository] : repositories;
  const found: RepositoryPackages[] = [];
  const errors: unknown[] = [];
  for (const each of named) {
    try {
      const paths = packages.length === 0 ? [] : await (await opened.filesOf(each)).list('');
      found.push({ repository: each, packages: findPackages(packages, paths) });
    } catch (error) {
      // the others have their rows all the same
      opened.log(`Fleet: ${each} is left out: ${formatMessage(error)}`);
      errors.push(error);
    }
  }
  if (found.length === 0) throw errors[0];
  return found;
}
