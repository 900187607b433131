/** Reads a checkout as the terminal finds it on disk. */
import { type Detection, detectAll } from '../../ecosystems/commands/detect.ts';
import { projectFilesOf } from '../../ecosystems/shared/project-files.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';

/** The commands that the project in a folder shows; null if the folder is not a git repository. */
export async function examineProject(repo: string): Promise<Detection | null> {
  const tree = openFolderFiles(repo);
  if ((await tree.read('.git/HEAD')) === null && (await tree.read('.git')) === null) return null;
  return detectAll(await projectFilesOf(tree));
}
