/** `photon init`: finds out what a repository is, and writes workflow, configuration and constitution for it. */
import { PhotonError } from '../../base/codes.ts';
import type { Detection } from '../../ecosystems/commands/detect.ts';
import { describeWitness } from '../../ecosystems/shared/tool-row.ts';
import { findTop } from '../../process/programs.ts';
import {
  permissions,
  renderStarter,
  type Starter,
  type StarterFile,
} from '../../report/pull-request/starter.ts';
import { describePorts, renderDetection } from '../../report/terminal/doctor-text.ts';
import { writeAbsentFile } from '../../workspace/files/replace-file.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import { examineProject, resolveCheckout } from '../checkout.ts';
import { type Arguments, command, flag, resolveRepo, shared, value } from '../command.ts';
import type { Terminal } from '../terminal.ts';

const commandOptions = {
  repo: shared.repo,
  model: value(
    '<name>',
    'Model behind an API key (default: PHOTON_MODEL; without it the embedded engine, which needs no key)',
  ),
  schedule: flag('Add a weekly run with a first maintenance task'),
  ref: value('<ref>', 'Version of Photon: tag, branch or, safest, a commit (default: v2)'),
  'dry-run': flag('Print the files without writing them'),
};

export const init = command({
  options: commandOptions,
  usage: [['[flags]', '', start]],
  examples: ['photon init --dry-run', 'photon init --model gpt-5 --schedule'],
});

async function start({ values }: Arguments<typeof commandOptions>, terminal: Terminal) {
  const repo = resolveRepo(values);
  const options: StarterOptions = {
    ref: unquotedValue('ref', values.ref ?? 'v2'),
    model: unquotedValue('model', values.model ?? terminal.env.PHOTON_MODEL ?? ''),
    schedule: values.schedule ?? false,
  };
  const isDry = values['dry-run'] ?? false;
  await resolveCheckout(values, terminal);
  const detection = await examineProject(repo);
  if (detection === undefined)
    throw new PhotonError('USAGE', `${repo} is not the top folder of its repository.`, {
      hint: `Use photon init --repo ${findTop(repo)}.`,
    });
  const files = renderStarter(makeStarter(options, detection));
  const present = await Promise.all(files.map(f => openFolderFiles(repo).read(f.path)));
  const added = files.filter((f, i) =>
    isDry ? present[i] === undefined : writeAbsentFile(repo, f.path, f.text),
  );
  const kept = files.filter(f => !added.includes(f));
  if (isDry) printAll(added, terminal);
  terminal[isDry ? 'tell' : 'print'](renderFiles(isDry ? kept : files, added));
  terminal.tell(renderDetection(detection));
  terminal.tell(renderPermissions());
  const { model } = options;
  const { chosen: test } = detection;
  terminal.tell(renderNext({ model, test, kept: kept.map(f => f.path), added, isDry }));
  return 0;
}

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

/** The files, with those that were added, and those that exist and stay unchanged. */
function renderFiles(files: readonly StarterFile[], added: readonly StarterFile[]): string {
  return files
    .map(file => {
      const [how, about] = added.includes(file)
        ? ['wrote', file.about]
        : ['kept ', 'already exists'];
      return `${how} ${file.path.padEnd(30)} ${about}\n`;
    })
    .join('');
}

interface NextSteps {
  /** Empty for the embedded engine. */
  readonly model: string;
  readonly test: Detection['chosen'];
  /** Paths of the files that exist already. */
  readonly kept: readonly string[];
  readonly added: readonly StarterFile[];
  readonly isDry: boolean;
}

function renderNext(next: NextSteps): string {
  const { added, isDry } = next;
  const paths = added.map(file => file.path).join(' ');
  const begin = isDry ? 'Write the files with photon init, then commit' : 'Commit';
  const commit = `${begin} what is new: git add ${paths} && git commit -m "Add Photon" && git push`;
  const steps = [
    ...listSteps(next),
    paths === '' ? undefined : commit,
    'Check the repository: GITHUB_TOKEN=$(gh auth token) photon doctor --on OWNER/NAME',
    'Comment /photon fix <task> on an issue.',
  ].filter(step => step !== undefined);
  return `Next:\n${steps.map((s, i) => `  ${i + 1}. ${s}\n`).join('')}`;
}

type StarterOptions = Pick<Starter, 'ref' | 'model' | 'schedule'>;

function makeStarter(options: StarterOptions, { chosen }: Detection): Starter {
  const test = chosen?.command ?? '';
  const witness =
    chosen?.witness === undefined ? undefined : describeWitness(chosen.witness, chosen.command);
  const ports = chosen?.witness?.ports ?? [];
  const services = ports.length === 0 ? undefined : describePorts(ports);
  return { ...options, test, setup: chosen?.setup ?? '', witness, services };
}

function listSteps({ model, test, kept }: NextSteps) {
  const forModel =
    model === ''
      ? 'Photon repairs failing tests only, because no model is named. For other tasks, set the inputs model and api-key in the workflow.'
      : 'Store the model key as the repository secret PHOTON_API_KEY: gh secret set PHOTON_API_KEY.';
  // a file that stays may name another command, and another model
  return [
    test === undefined && !kept.includes('.photon/config.json')
      ? 'Set verify.command in .photon/config.json, because no test command was found.'
      : undefined,
    kept.includes('.github/workflows/photon.yml') ? undefined : forModel,
    'Let Actions open pull requests: Settings › Actions › General › Workflow permissions.',
  ].filter(item => item !== undefined);
}
