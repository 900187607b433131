/** `photon init`: writes workflow, configuration and constitution for a repository, or proposes them in a pull request. */
import { PhotonError } from '../../base/codes.ts';
import { loadProjectFiles } from '../../ecosystems/shared/project-files.ts';
import { findTop } from '../../process/programs.ts';
import { listSteps, onboardingTitle } from '../../report/pull-request/onboarding.ts';
import { permissions, type StarterFile } from '../../report/pull-request/starter.ts';
import { renderDetection } from '../../report/terminal/doctor-text.ts';
import { writeAbsentFile } from '../../workspace/files/replace-file.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import { examineProject, resolveCheckout } from '../checkout.ts';
import { sourceAgents } from '../coming-from/find-source.ts';
import { type Arguments, command, flag, resolveRepo, shared, value } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { repositoryName } from '../terminal-github.ts';
import {
  findRepository,
  makeStarterFiles,
  prepareProposal,
  readPullSetting,
  type StarterOptions,
} from './onboarding.ts';

const agentNames = sourceAgents.map(({ name }) => name).join(', ');

const commandOptions = {
  repo: shared.repo,
  on: value('<owner/name>', 'Repository on GitHub (default: the remote origin)'),
  'open-pull-request': flag(
    'Write nothing here: open a pull request on GitHub, or update it. It needs GITHUB_TOKEN, of an App or a person',
  ),
  from: value(
    '<agent|file>',
    `Agent whose workflow is read and stays as it is: ${agentNames}; or the path of the workflow`,
  ),
  model: value(
    '<name>',
    'Model behind an API key (default: PHOTON_MODEL; without it the embedded engine, which needs no key)',
  ),
  schedule: flag('Add a weekly run with a first maintenance task'),
  ref: value('<ref>', 'Version of Photon: tag, branch or, safest, a commit (default: v2)'),
  'dry-run': flag('Print the files without writing them'),
};

export const init = command({
  about: 'Write a workflow, a configuration and a constitution for a repository.',
  options: commandOptions,
  usage: [['[flags]', '', start]],
  examples: [
    'photon init --dry-run',
    'photon init --model gpt-5 --schedule',
    'photon init --from claude-code-action',
    'photon init --open-pull-request --on octo/shop',
  ],
});

async function start({ values }: Arguments<typeof commandOptions>, terminal: Terminal) {
  const repo = resolveRepo(values);
  const { from } = values;
  // their model is that of their workflow
  const ownModel = from === undefined ? terminal.env.PHOTON_MODEL : undefined;
  const options: StarterOptions = {
    from,
    ref: unquotedValue('ref', values.ref ?? 'v2'),
    model: unquotedValue('model', values.model ?? ownModel ?? ''),
    schedule: values.schedule ?? false,
  };
  const repository =
    values.on === undefined ? await findRepository(repo, terminal.env) : repositoryName(values.on);
  const isDry = values['dry-run'] ?? false;
  if (values['open-pull-request']) return propose({ repository, options, isDry }, terminal);
  await resolveCheckout(values, terminal);
  const detection = await examineProject(repo);
  if (detection === undefined)
    throw new PhotonError('USAGE', `${repo} is not the top folder of its repository.`, {
      hint: `Use photon init --repo ${findTop(repo)}.`,
    });
  const project = await loadProjectFiles(openFolderFiles(repo));
  const { files, account } = await makeStarterFiles(options, project, detection);
  if (isDry) printAll(files, terminal);
  else terminal.print(writeAll(repo, files));
  terminal.tell(account.map(line => `${line}\n`).join(''));
  terminal.tell(renderDetection(detection));
  terminal.tell(renderPermissions());
  const pulls = await readPullSetting(repository, terminal);
  terminal.tell(renderNext({ pulls, model: options.model, test: detection.chosen }));
  return 0;
}

interface ToPropose {
  readonly repository: string | undefined;
  readonly options: StarterOptions;
  readonly isDry: boolean;
}

/** Opens the pull request on GitHub, or shows it. The folder on disk is not read or changed. */
async function propose({ repository, options, isDry }: ToPropose, terminal: Terminal) {
  if (repository === undefined)
    throw new PhotonError('USAGE', 'The repository on GitHub is unknown.', {
      hint: 'Name it: photon init --open-pull-request --on OWNER/NAME.',
    });
  if (!terminal.env.GITHUB_TOKEN)
    throw new PhotonError('GITHUB_AUTH', 'GITHUB_TOKEN is not set.', {
      hint: 'Set it to the token of an App or of a person that may write contents, pull requests and workflows. The token of a workflow may not write workflow files.',
    });
  const { found, account, body, open } = await prepareProposal(repository, options, terminal);
  terminal.tell(account.map(line => `${line}\n`).join(''));
  if (found.added.length === 0) {
    terminal.print(`${repository} has all files of Photon already.\n`);
    return 0;
  }
  if (isDry) {
    printAll(found.added, terminal);
    terminal.print(`# Pull request: ${onboardingTitle}\n${body}`);
    return 0;
  }
  const { state, number, url, notes } = await open();
  terminal.print(`${endings[state]} #${number}: ${url}\n`);
  for (const note of notes) terminal.tell(`${note}\n`);
  return 0;
}

const endings = {
  created: 'Opened pull request',
  updated: 'Updated pull request',
  unchanged: 'Nothing has changed in pull request',
  closed:
    'Somebody closed the pull request, so it is not opened again. To get a new one, change the title of',
  edited: 'The branch has commits of others, so nothing was changed in pull request',
} as const;

function printAll(files: readonly StarterFile[], terminal: Terminal): void {
  for (const { path, text } of files) terminal.print(`# ${path}\n${text}\n`);
}

function renderPermissions(): string {
  const lines = permissions.map(([name, why]) => `  ${name.padEnd(21)} ${why}\n`);
  return `Permissions of the workflow:\n${lines.join('')}`;
}

/** A value that goes into the workflow file unquoted, so it may only have harmless characters. */
function unquotedValue(name: string, value: string): string {
  if (!/^[A-Za-z0-9._:/-]{0,100}$/.test(value))
    throw new PhotonError('USAGE', `--${name}: use letters, digits and . _ : / - only.`);
  return value;
}

/** Writes the files that do not exist yet. Existing files stay unchanged, and the text says so. */
function writeAll(repo: string, files: readonly StarterFile[]): string {
  return files
    .map(({ path, text, about }) => {
      const written = writeAbsentFile(repo, path, text);
      return `${written ? 'wrote' : 'kept '} ${path.padEnd(30)} ${written ? about : 'already exists'}\n`;
    })
    .join('');
}

function renderNext(found: Parameters<typeof listSteps>[0]): string {
  const steps = [
    ...listSteps(found).map(step => step.replaceAll('`', '')),
    'Run photon validate, then commit the files to the default branch.',
    'Comment /photon fix <task> on an issue.',
  ];
  return `Next:\n${steps.map((s, i) => `  ${i + 1}. ${s}\n`).join('')}`;
}
