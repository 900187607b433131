/** A git directory of Photon: it borrows the objects of a repository, and takes nothing of its configuration but conversions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GitContext, runGit } from './git-process.ts';

/** A work tree there has no modes of files, no case in names, and paths that are longer than the system allows by default. */
const always = { filemode: 'false', ignorecase: 'true', longpaths: 'true' };

/** The settings of the user or the repository that Photon takes over; other values are no setting of git. */
const taken = {
  autocrlf: /^(?:true|false|input)$/,
  eol: /^(?:lf|crlf|native)$/,
  // false where links are files with their target, which is usual
  symlinks: /^(?:true|false)$/,
};

/**
 * How git converts files between commits and a work tree where the system makes that usual (on Windows): settings as lines for the section `core`. Nothing else is taken over from a configuration that Photon does not
 * trust. Reading one runs no program.
 * @throws PhotonError `GIT`.
 */
export async function readConversions(place: GitContext): Promise<string> {
  // the configuration of the user and of the machine, too, which every other git process of Photon leaves out
  const env = { HOME: undefined, GIT_CONFIG_GLOBAL: undefined, GIT_CONFIG_NOSYSTEM: '0' };
  const found: Record<string, string> = { ...always };
  for (const [name, values] of Object.entries(taken)) {
    const args = ['config', '--get', `core.${name}`];
    const { stdout } = await runGit({ ...place, args, env, accept: [1] });
    const value = stdout.toString('utf8').trim().toLowerCase();
    if (values.test(value)) found[name] = value;
  }
  return Object.entries(found)
    .map(([name, value]) => `\t${name} = ${value}\n`)
    .join('');
}

/** Creates a repository that borrows the objects of the checkout and none of its configuration. */
export function makePrivateDir(
  gitDir: string,
  found: {
    readonly commonDir: string;
    readonly objectFormat: string;
    /** The output of `readConversions`. */
    readonly conversions: string;
    /** The checkout's own `info/attributes`; empty if there is none. */
    readonly attributes: string;
  },
): void {
  mkdirSync(join(gitDir, 'objects', 'info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(gitDir, 'refs'), { recursive: true });
  const sha256 = found.objectFormat === 'sha256';
  const extension = sha256 ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  const version = sha256 ? 1 : 0;
  writeFileSync(
    join(gitDir, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n\tquotePath = false\n${found.conversions}${extension}`,
  );
  if (found.attributes !== '') {
    mkdirSync(join(gitDir, 'info'), { recursive: true });
    writeFileSync(join(gitDir, 'info', 'attributes'), found.attributes);
  }
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/photon\n');
  writeFileSync(
    join(gitDir, 'objects', 'info', 'alternates'),
    `${join(found.commonDir, 'objects')}\n`,
  );
}
