/** `photon init`: writes workflow, configuration and constitution for the repository it stands in. */
import { resolve } from 'node:path';
import { PhotonError } from '../codes.ts';
import { renderStarter, type Starter, type StarterFile } from '../report/starter.ts';
import {
  detectSetupCommand,
  detectTestCommand,
  projectFilesOf,
} from '../testing/commands/detect.ts';
import { writeAbsentFile } from '../workspace/files/replace-file.ts';
import { openFolderFiles } from '../workspace/trusted/trusted-files.ts';
import { parseArguments } from './arguments.ts';
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
      `What is ${JSON.stringify(positionals[0])}? photon init --repo DIR.`,
    );
  const repo = resolve(String(values.repo ?? '.'));
  const starter = await findStarter(repo, {
    ref: plainWord('ref', String(values.ref ?? 'v2')),
    model: plainWord('model', String(values.model ?? '')),
    schedule: values.schedule === true,
  });
  const files = renderStarter(starter);
  if (values['dry-run'] === true)
    for (const { path, text } of files) terminal.print(`# ${path}\n${text}\n`);
  else terminal.print(writeAll(repo, files));
  terminal.tell(renderNext(starter));
  return 0;
};

/** Words that go into a workflow as they are, and may be nothing but words. */
function plainWord(name: string, value: string): string {
  if (!/^[A-Za-z0-9._:/-]{0,100}$/.test(value))
    throw new PhotonError('USAGE', `--${name}: use letters, digits and . _ : / - only.`);
  return value;
}

async function findStarter(
  repo: string,
  asked: Pick<Starter, 'ref' | 'model' | 'schedule'>,
): Promise<Starter> {
  const tree = openFolderFiles(repo);
  if ((await tree.read('.git/HEAD')) === null && (await tree.read('.git')) === null)
    throw new PhotonError('USAGE', `${repo} is no git repository; give its folder with --repo.`);
  const files = await projectFilesOf(tree);
  const test = await detectTestCommand(files);
  return { ...asked, test: test?.command ?? '', setup: detectSetupCommand(files) };
}

/** Writes what is not there; a file that is there is left as it is, and said so. */
function writeAll(repo: string, files: readonly StarterFile[]): string {
  return files
    .map(({ path, text, about }) => {
      const written = writeAbsentFile(repo, path, text);
      return `${written ? 'wrote' : 'kept '} ${path.padEnd(30)} ${written ? about : 'it is there already'}\n`;
    })
    .join('');
}

function renderNext({ model, test }: Starter): string {
  const steps = [
    ...(test === ''
      ? ['No test command was found: set verify.command in .photon/config.json.']
      : []),
    ...(model === ''
      ? []
      : ['Store the key of the model as the secret PHOTON_API_KEY of the repository.']),
    'Settings > Actions > General: allow GitHub Actions to create pull requests.',
    'photon validate, then commit the three files to the default branch.',
    'Write /photon fix with a few words on an issue.',
  ];
  return `Next:\n${steps.map((s, i) => `  ${i + 1}. ${s}\n`).join('')}`;
}
