/** Attacks and benign variants at the command line: a cloned repository, a scripted model, one start of Photon. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type GitFile, GitStore } from '../doubles/git-store.ts';
import { type ModelDouble, type Script, startModel } from '../doubles/model.ts';
import { sampleFiles, sampleTask } from '../doubles/sample.ts';
import { type PhotonEnd, startPhoton } from '../process.ts';
import type { Found, Setup } from './attack.ts';

export interface AtTerminal {
  /** Replies of the model; without them, none is asked. */
  readonly script?: Script;
  readonly files?: Readonly<Record<string, GitFile | string>>;
  /** Changes the clone before the start. */
  readonly cloned?: (repo: string) => void;
  /** Arguments; default: `run` with the sample's task. */
  readonly args?: (repo: string) => readonly string[];
  readonly env?: (repo: string) => Readonly<Record<string, string>>;
}

export interface EndAtTerminal extends PhotonEnd {
  readonly repo: string;
  /** The code that it ended with: of an error, or of the outcome; else `exit N`. */
  readonly ended: string;
  /** All that the model was modelInput. */
  readonly modelInput: string;
}

export const runTask = (repo: string, ...more: readonly string[]): readonly string[] => [
  'run',
  '--repo',
  repo,
  '--task',
  sampleTask,
  '--sandbox',
  'required',
  ...more,
];

/** Clones the sample and starts the command line in the folder of the attack. */
export async function startAtTerminal(setup: Setup, given: AtTerminal): Promise<EndAtTerminal> {
  const repo = join(setup.folder, 'repo');
  const [home, temp] = ['home', 'tmp'].map(name => join(setup.folder, name));
  for (const folder of [home, temp]) mkdirSync(folder ?? '', { recursive: true });
  const store = new GitStore();
  store.push('main', { ...sampleFiles, ...given.files });
  store.clone(repo);
  store.close();
  given.cloned?.(repo);
  const model: ModelDouble | undefined = given.script ? await startModel(given.script) : undefined;
  const about: Readonly<Record<string, string>> = model
    ? { PHOTON_API_KEY: 'a-key', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' }
    : {};
  try {
    const end = await startPhoton({
      args: (given.args ?? (at => runTask(at)))(repo),
      cwd: setup.folder,
      env: {
        PATH: setup.searchPath,
        HOME: home ?? '',
        TMPDIR: temp ?? '',
        ...about,
        ...given.env?.(repo),
      },
    });
    const modelInput = JSON.stringify(model?.requests.map(r => r.body) ?? []);
    return { ...end, repo, modelInput, ended: codeOf(end) };
  } finally {
    await model?.close();
  }
}

function codeOf({ err, code }: PhotonEnd): string {
  const found =
    /^error: [\s\S]*? \[([A-Z_]+)\]$/m.exec(err) ?? /^\S+ [\w ]+ \(([A-Z_]+)\):/m.exec(err);
  return found?.[1] ?? (code === undefined ? 'killed' : `exit ${code}`);
}

/** The same for an attack: what its canary saw. */
export async function attackAtTerminal(
  setup: Setup,
  given: AtTerminal,
  gotOf: (end: EndAtTerminal) => string | undefined,
): Promise<Found> {
  const end = await startAtTerminal(setup, given);
  return { got: gotOf(end), code: end.ended };
}
