/** Finds and opens the checkout that a command works on. */
import { type Detection, detectAll } from '../ecosystems/commands/detect.ts';
import { findNotes } from '../ecosystems/commands/notes.ts';
import { loadProjectFiles } from '../ecosystems/shared/project-files.ts';
import { withScratchFolder } from '../workspace/files/run-folder.ts';
import { requireCheckout } from '../workspace/git/checkout-state.ts';
import { type Git, openGit } from '../workspace/git/git.ts';
import { runGit, splitRecords } from '../workspace/git/git-process.ts';
import { openFolderFiles } from '../workspace/trusted/trusted-files.ts';
import { resolveRepo } from './command.ts';
import { findTerminalPrograms, type Terminal } from './terminal.ts';

/**
 * The folder that `--repo` names, which must be in a checkout; it may have no commit yet.
 * @throws PhotonError `USAGE`, `CHECKOUT_MISSING`, `GIT` without git.
 */
export async function resolveCheckout(
  values: { readonly repo?: string },
  terminal: Terminal,
): Promise<string> {
  const cwd = resolveRepo(values);
  await requireCheckout({ cwd, programs: findTerminalPrograms(terminal, cwd) });
  return cwd;
}

/** Opens the checkout that contains a folder while some work goes on, with a scratch folder. @throws PhotonError `CHECKOUT_MISSING`, `GIT`. */
export function withGit<T>(
  folder: string,
  terminal: Terminal,
  work: (git: Git, scratch: string) => Promise<T>,
): Promise<T> {
  return withScratchFolder(async scratch => {
    const programs = findTerminalPrograms(terminal, folder);
    const git = await openGit(folder, { scratch, programs });
    try {
      return await work(git, scratch);
    } finally {
      git.close();
    }
  });
}

/** The files that git tracks below a folder. @throws PhotonError `GIT`. */
export async function listTracked(folder: string, terminal: Terminal): Promise<readonly string[]> {
  const programs = findTerminalPrograms(terminal, folder);
  return splitRecords((await runGit({ args: ['ls-files', '-z'], cwd: folder, programs })).stdout);
}

/** The commands that the project in a folder shows, and what the folder lacks; undefined if the folder is not a git repository. */
export async function examineProject(
  repo: string,
): Promise<(Detection & { readonly notes: readonly string[] }) | undefined> {
  const tree = openFolderFiles(repo);
  if ((await tree.read('.git/HEAD')) === undefined && (await tree.read('.git')) === undefined)
    return undefined;
  const files = await loadProjectFiles(tree);
  return { ...(await detectAll(files)), notes: await findNotes(files) };
}
