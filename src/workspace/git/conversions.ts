/** How git converts files between commits and a work tree where the system makes that usual: on Windows. */
import { type GitPlace, runGit } from './git-process.ts';

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
 * The settings as lines for the section `core`. Nothing else is taken over from a configuration that Photon does not
 * trust. Reading one runs no program.
 * @throws PhotonError `GIT`.
 */
export async function readConversions(place: GitPlace): Promise<string> {
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
