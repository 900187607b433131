/** A request with the constitution and the skills that apply to it. */
import { loadPolicy, type Policy } from '../agent/context/policy.ts';
import { maxViolations } from '../agent/loop/loop-state.ts';
import { listFirst, plural } from '../base/plural.ts';
import { readOutside } from '../guard/content/outside-text.ts';
import { mark, type RunPolicy } from '../ledger/ledger.ts';
import { parserVersions } from '../model/protocols/protocol.ts';
import type { Git } from '../workspace/git/git.ts';
import { openFolderFiles, type TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import { describeSettings, describeStart, describeTask, nameTask } from './build-outcome.ts';
import type { LoadedRun, RunRequest } from './stages.ts';

/** Most warnings about skills in the log and the outcome; `photon validate` shows all. */
const maxWarnings = 10;

/**
 * Reads the constitution and the skills from the trusted files, and begins the ledger with them.
 * @throws PhotonError `CONSTITUTION_*`, `CONFIG_*`, `SKILL_*`, `GITHUB_*`.
 */
export async function loadRun(
  request: RunRequest,
  trusted: () => Promise<TrustedFiles>,
): Promise<LoadedRun> {
  const { environment, input, ledger, kind, task } = request;
  const { settings, shipped, git } = environment;
  const policy = await loadPolicy({
    settings,
    trusted: await trusted(),
    shipped,
    skillFiles: input.watchSkills ? openFolderFiles(git.checkout) : undefined,
  });
  const tell = (text: string | undefined, line = text) => {
    if (text === undefined || line === undefined) return;
    request.note(text);
    input.log.line(line);
  };
  for (const notice of policy.notices) tell(notice);
  const files = (input.settingsFiles ?? []).map(f => f.path).join(', ');
  if (files !== '')
    request.note(`These settings came from the work tree, not from the commit: ${files}.`);
  tell(await withheldNote(git));
  for (const note of await listHiddenNotes(git)) tell(note);
  for (const warning of limitWarnings(policy.skillWarnings)) tell(warning, `Warning: ${warning}`);
  ledger.append({
    ...mark('run.start', {
      version: policy.constitution.version,
      constitution: policy.constitutionSha256,
      ...promptFacts(policy),
      base: git.commit,
      merged: request.environment.start?.merge?.commit,
      ref: task.baseRef,
    }),
    policy: runPolicy(policy),
    states: describeStart(request),
  });
  ledger.append({ ...mark('run.settings', {}), states: describeSettings(settings, input) });
  const { text, isCut, digest } = describeTask(task, request.scrub);
  ledger.append({
    ...mark('run.task', { cut: isCut }),
    states: { task: { ...nameTask(task, request.scrub), digest } },
    text,
  });
  const warning = kind.warning?.(policy.settings);
  if (warning !== undefined) request.note(warning);
  return { request, policy };
}

/** How many files `neverSend` keeps from the run; undefined if none. */
async function withheldNote(git: Git): Promise<string | undefined> {
  if (git.tree === git.fullTree) return undefined;
  const gone =
    (await git.listTreeEntries(git.fullTree)).size - (await git.listTreeEntries(git.tree)).size;
  return `neverSend keeps ${plural(gone, 'file')} from this run: its tools, commands and tests work without ${gone === 1 ? 'it' : 'them'}.`;
}

/** Most paths of hidden files that a note names. */
const maxHidden = 8;

const namesAlone =
  'The checkout holds too many untracked files to open them all, so some were judged by their names alone.';

/** Which untracked credentials no command sees, and which untracked paths that none needs. */
async function listHiddenNotes(git: Git): Promise<readonly string[]> {
  const { paths, unneeded, isComplete } = await git.untrackedCredentials();
  const unread = isComplete ? [] : [namesAlone];
  const secret = paths.length === 1 ? 'looks' : 'look';
  // Photon's own folder, which no command needs; rules that are not committed have a note of their own
  const others = unneeded.filter(path => !`${path}/`.startsWith('.photon/'));
  return [
    ...hiddenNote(paths, `untracked file`, ` that ${secret} like credentials`),
    ...hiddenNote(others, `${paths.length > 0 ? 'other ' : ''}untracked path`, ' of the checkout'),
    ...unread,
  ];
}

function hiddenNote(paths: readonly string[], thing: string, which: string): readonly string[] {
  if (paths.length === 0) return [];
  const one = paths.length === 1;
  const name = (path: string) => readOutside('path', path).text.slice(0, 200);
  const named = listFirst(paths, name, { most: maxHidden });
  return [
    `Commands and tests do not see ${plural(paths.length, thing)}${which}: ${named}. If they need ${one ? 'it' : 'one of them'}, name it in sandbox-read.`,
  ];
}

/** The first warnings, and how many there are besides. */
function limitWarnings(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - maxWarnings;
  const rest = `${more} more warnings about skills; photon validate shows them.`;
  return more > 0 ? [...warnings.slice(0, maxWarnings), rest] : warnings;
}

/** Which prompt a run follows, and how its replies are read. */
function promptFacts({ profile }: Policy) {
  const { sha256: prompt, agentName: agent, version: profileVersion, protocol, memory } = profile;
  return { prompt, agent, profileVersion, protocol, memory, parser: parserVersions[protocol] };
}

/** The rules without their prose, which its sha256 stands for. */
function runPolicy(policy: Policy): RunPolicy {
  const { constitution } = policy;
  const folders = constitution.folders.map(f => ({ ...f, prose: '' }));
  return {
    constitution: { ...constitution, prose: '', folders },
    violations: maxViolations(policy),
  };
}
