/** Opens GitHub for work of a job that is more, or other, than one run. */
import type { GitHubEnvironment } from '../../hosts/github/auth/repository-context.ts';
import { openGitHubEnvironment } from '../../hosts/github/open-github.ts';
import type { RunInput } from '../../hosts/host.ts';
import { openRunFolder } from '../../workspace/files/run-folder.ts';

/** Does the work with GitHub, and a folder of its own, open. @throws PhotonError what opening a run throws. */
export async function withGitHub<T>(
  input: RunInput,
  request: Parameters<typeof openGitHubEnvironment>[2],
  work: (opened: GitHubEnvironment) => Promise<T>,
): Promise<T> {
  const folder = openRunFolder(input.tempRoot, `job-${process.pid}`);
  try {
    const opened = await openGitHubEnvironment(input, folder, request);
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  } finally {
    folder.discard();
  }
}
