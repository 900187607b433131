/** What the inputs of Codex Action are at Photon. */
import {
  type Counterpart,
  fileOfRepository,
  notes,
  type SourceAgent,
  shared,
} from './source-agent.ts';

const sandbox: Counterpart = {
  here: 'Commands run in the sandbox without network and without keys, on copies of the checkout (docs/sandbox.md).',
};

const configuration = 'Write each key as the input or key of Photon that it is (docs/settings.md).';

export const codexAction: SourceAgent = {
  name: 'codex-action',
  title: 'Codex Action',
  uses: /^openai\/codex-action$/,
  source: 'https://github.com/openai/codex-action/blob/main/action.yml',
  inputs: {
    prompt: { to: 'task' },
    'prompt-file': fileOfRepository('task-file'),
    'output-file': 'The output answer holds the text; write it to a file in the next step.',
    'openai-api-key': shared.apiKey,
    'responses-api-endpoint': {
      to: 'base-url',
      read: value => ({ 'base-url': value.replace(/\/responses$/, ''), api: 'responses' }),
    },
    'working-directory': shared.folderOfRepository,
    sandbox,
    'codex-version': notes.version,
    'codex-args': {
      holds: 'arguments',
      entries: {
        '--model': shared.modelName,
        '-m': shared.modelName,
        '--sandbox': sandbox,
        '-s': sandbox,
        '--full-auto': sandbox,
        '--add-dir': shared.readableFolders,
        '--image': 'Images that the text of an issue embeds are shown to the model.',
        '--config': configuration,
        '-c': configuration,
        '--profile': notes.profile,
        '--json': notes.log,
      },
    },
    'output-schema': notes.schema,
    'output-schema-file': fileOfRepository('output-schema'),
    model: shared.modelName,
    effort: { to: 'reasoning-effort' },
    'codex-home': 'The configuration is .photon/config.json on the trusted branch.',
    'safety-strategy': sandbox,
    'codex-user': sandbox,
    'allow-users':
      'Only people with write access give commands; allowed-users restricts them further.',
    'allow-bots': 'allowed-bots names each bot.',
    'allow-bot-users': shared.botNames,
  },
  defaults: {},
  outputs: { 'final-message': 'answer' },
};
