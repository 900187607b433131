/** Where a local run reads the files that control it: its commit, or with `--config-from work-tree` the work tree. */
import { loadSettings } from '../agent/context/policy.ts';
import { PhotonError } from '../base/codes.ts';
import { listFirst } from '../base/plural.ts';
import { type InputRecord, inputs, type Settings } from '../settings/settings.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { Git } from '../workspace/git/git.ts';
import {
  openFolderFiles,
  openLocalFiles,
  type TrustedFiles,
} from '../workspace/trusted/trusted-files.ts';
import { findUncommitted, type NamedPaths } from '../workspace/trusted/uncommitted-files.ts';
import { withGit } from './checkout.ts';
import { findTerminalPrograms, readTerminalConfig, type Terminal } from './terminal.ts';

/** The values of `--config-from`; the first is the default. */
const places = ['commit', 'work-tree'] as const;

/** What the command line says about the settings of a checkout. */
export interface SettingsRequest {
  /** A folder of the checkout. */
  readonly repo: string;
  readonly values: { readonly 'config-from'?: string; readonly 'watch-skills'?: boolean };
  readonly given: InputRecord;
  readonly terminal: Terminal;
}

interface SettingsSource {
  /** Open while the work with it goes on. */
  readonly git: Git;
  /** The files of the source. */
  readonly files: TrustedFiles;
  /** The files of the work tree that take the place of the commit's; empty unless `--config-from work-tree`. */
  readonly settingsFiles: readonly FileChange[];
  /** One line that names each file that differs, and what to do; empty if none does. */
  readonly note: string;
  /** The settings of a run from these files. @throws PhotonError `SETTING_INVALID` and others, for what is wrong with them. */
  readSettings(): Promise<Settings>;
}

/**
 * Opens the files that control a local run.
 * @throws PhotonError `CHECKOUT_MISSING`, `CONFIG_MISSING`, `CONFIG_FROM_JOB`, `USAGE`, `GIT`.
 */
export async function withSettingsSource<T>(
  request: SettingsRequest,
  work: (source: SettingsSource) => Promise<T>,
): Promise<T> {
  const { repo, terminal, given } = request;
  const place = chooseSource(request);
  return withGit(repo, terminal, async git => {
    const { commit, branch: ref } = git;
    const committed = openLocalFiles(git, { ref, commit });
    const named = await namedPlaces(request, [committed, openFolderFiles(git.checkout)]);
    const differing = await findUncommitted(git, named, findTerminalPrograms(terminal, repo));
    const isChosen = place === 'work-tree' && differing.length > 0;
    const files = isChosen
      ? openLocalFiles(git, { ref, commit: await git.writeFullTree(differing) })
      : committed;
    if (given.config?.trim()) requireCommitted(getConfigPath(given), { place, differing });
    const note = renderSettingsSource({ place, differing }, commit, isJob(terminal));
    const readSettings = () => loadSettings(given, files, readTerminalConfig(terminal, repo));
    return work({ git, files, settingsFiles: isChosen ? differing : [], note, readSettings });
  });
}

/**
 * Says which files that control a run differ from what it reads.
 * @returns those of the work tree that the run shall read.
 * @throws PhotonError as `withSettingsSource`.
 */
export function tellSettingsSource(request: SettingsRequest): Promise<readonly FileChange[]> {
  return withSettingsSource(request, async ({ settingsFiles, note }) => {
    request.terminal.tell(note);
    return settingsFiles;
  });
}

function chooseSource({ values, terminal }: SettingsRequest): (typeof places)[number] {
  const named = values['config-from'] ?? places[0];
  const place = places.find(each => each === named);
  if (place === undefined)
    throw new PhotonError('USAGE', `--config-from takes ${places.join(' or ')}.`);
  if (place === 'work-tree' && isJob(terminal)) throw new PhotonError('CONFIG_FROM_JOB');
  return place;
}

/** Every known service that runs jobs sets one of these. */
function isJob({ env }: Terminal): boolean {
  return env.GITHUB_ACTIONS === 'true' || ['true', '1'].includes(env.CI ?? '');
}

const getConfigPath = (given: InputRecord) => given.config?.trim() || inputs.config.default;

/** @throws PhotonError `CONFIG_MISSING` for a file that is only in the work tree. */
function requireCommitted(path: string, { place, differing }: SourceFiles): void {
  const change = differing.find(each => each.path === path);
  if (place === 'work-tree' || change?.before !== undefined || change?.after === undefined) return;
  throw new PhotonError('CONFIG_MISSING', `--config: ${path} is not committed.`, {
    hint: `Commit it, or add --config-from work-tree.`,
  });
}

/** What the settings name, those of the commit and those of the work tree: either can name a file that differs. */
async function namedPlaces(
  { repo, given, terminal, values }: SettingsRequest,
  sources: readonly TrustedFiles[],
): Promise<NamedPaths> {
  const own = readTerminalConfig(terminal, repo);
  const read = async (files: TrustedFiles): Promise<readonly Settings[]> => {
    try {
      return [await loadSettings(given, files, own)];
    } catch (error) {
      // the command itself says what is wrong with its settings
      if (error instanceof PhotonError) return [];
      throw error;
    }
  };
  const all = (await Promise.all(sources.map(read))).flat();
  const named = all.flatMap(s => [s.agentProfile, s.reviewSchema, s.outputSchema]);
  const files = named.filter(name => name.endsWith('.json'));
  const roots = values['watch-skills'] ? [] : all.flatMap(s => s.skillRoots);
  const folders = roots.filter(root => !root.startsWith('photon:'));
  return {
    files: [...new Set([getConfigPath(given), ...files])],
    folders: [...new Set(folders.map(root => root.replace(/\/[^/]*\*[^/]*$|\/$/, '')))],
  };
}

interface SourceFiles {
  readonly place: (typeof places)[number];
  /** Files that differ between the commit and the work tree. */
  readonly differing: readonly FileChange[];
}

/** One line; empty if no file differs. A job cannot choose the work tree. */
function renderSettingsSource(
  { place, differing: files }: SourceFiles,
  commit: string,
  isJob: boolean,
): string {
  if (files.length === 0) return '';
  const named = nameFiles(files);
  const from = commit.slice(0, 7);
  if (place === 'work-tree')
    return `note: settings come from the work tree, not from commit ${from}: ${named}.\n`;
  const [these, them] =
    files.length === 1 ? ['this file differs', 'it'] : ['these files differ', 'them'];
  const offer = isJob ? '' : ', or run with --config-from work-tree';
  return `note: a run reads its settings from commit ${from}, and ${these} from it: ${named}. To use ${them}, commit ${them}${offer}.\n`;
}

/** The paths of the files, each with what became of it; at most 20. */
function nameFiles(files: readonly FileChange[]): string {
  const state = ({ before, after }: FileChange) =>
    before === undefined ? 'new' : after === undefined ? 'deleted' : 'changed';
  return listFirst(files, file => `${file.path} (${state(file)})`, { most: 20 });
}
