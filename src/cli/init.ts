/** `photon init`: writes workflow, configuration and constitution for a repository. */
import { PhotonError } from '../codes.ts';
import { renderDetection } from '../report/detection-text.ts';
import { renderStarter, type Starter, type StarterFile } from '../report/starter.ts';
import { writeAbsentFile } from '../workspace/files/replace-file.ts';
import { parseArguments, repoOf } from './arguments.ts';
import { examineProject } from './project.ts';
import type { CommandHandler } from './terminal.ts';

export const init: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(
    args,
    ['repo', 'model', 'ref'],
    ['schedule', 'dry-run'],
  );
  if (positionals.length > 0)
    throw new PhotonError(
      'USAGE',
      `Unexpected argument ${JSON.stringify(positionals[0])}. Usage: photon init --repo DIR.`,
    );
  const repo = repoOf(values);
  const detection = await examineProject(repo);
  if (detection === null)
    throw new PhotonError('USAGE', `${repo} is not a git repository. Give its folder with --repo.`);
  const starter: Starter = {
    ref: unquotedValue('ref', String(values.ref ?? 'v2')),
    model: unquotedValue('model', String(values.model ?? '')),
    schedule: values.schedule === true,
    test: detection.chosen?.command ?? '',
    setup: detection.chosen?.setup ?? '',
  };
  const files = renderStarter(starter);
  if (values['dry-run'] === true)
    for (const { path, text } of files) terminal.print(`# ${path}\n${text}\n`);
  else terminal.print(writeAll(repo, files));
  terminal.tell(renderDetection(detection));
  terminal.tell(renderNext(starter));
  return 0;
};

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

function renderNext({ model, test }: Starter): string {
  const steps = [
    ...(test === ''
      ? ['Photon found no test command: set verify.command in .photon/config.json.']
      : []),
    ...(model === '' ? [] : ['Store the model key as the repository secret PHOTON_API_KEY.']),
    'Under Settings > Actions > General, allow GitHub Actions to create pull requests.',
    'Run photon validate, then commit the three files to the default branch.',
    'Comment /photon fix <task> on an issue.',
  ];
  return `Next:\n${steps.map((s, i) => `  ${i + 1}. ${s}\n`).join('')}`;
}
