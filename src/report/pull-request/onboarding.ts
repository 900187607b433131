/** Renders what `photon init` found, and the pull request that proposes Photon to a repository. Pure. */
import { listFirst, plural } from '../../base/plural.ts';
import { fencedText, inlineText } from '../escape.ts';
import { foldContent, joinParts } from './sections.ts';
import { permissions, type StarterFile } from './starter.ts';

/** Whether `GITHUB_TOKEN` may open pull requests, and where that is set. */
export interface PullSetting {
  /** Null if the token cannot read the setting. */
  readonly mayOpenPulls: boolean | undefined;
  readonly page: string;
}

/** What `photon init` found in a repository, and what it would add. */
export interface Onboarding {
  readonly languages: readonly { readonly name: string; readonly files: number }[];
  /** Null if no test command was found. */
  readonly test: { readonly command: string; readonly because: string } | undefined;
  /** Empty for none. */
  readonly setup: string;
  /** Instruction files for agents, and a constitution. */
  readonly instructions: readonly string[];
  /** Patterns that no patch may touch, and how many files match them now. */
  readonly protectedPaths: readonly string[];
  readonly protectedFiles: number;
  readonly added: readonly StarterFile[];
  /** Files of the same names that the repository has already. */
  readonly kept: readonly string[];
  readonly pulls: PullSetting;
  /** Empty for the embedded engine. */
  readonly model: string;
}

export const onboardingTitle = 'Add Photon';

const mark = '<!-- photon:onboarding -->';

/** The text of the pull request. What comes from the repository is shown as code. */
export function renderOnboarding(found: Onboarding): string {
  return joinParts([
    'This pull request adds [Photon](https://github.com/photon/agent-action) to the repository. Nothing runs before it is merged. To decline, close it: it is not opened again, unless you change the title of the closed pull request.',
    `## What was found\n\n${foundLines(found).join('\n')}`,
    foldContent(
      `${plural(found.protectedPaths.length, 'protected pattern')}`,
      fencedText(found.protectedPaths.join('\n'), { maxChars: 6000 }),
    ),
    `## What it adds\n\n${addedLines(found).join('\n')}`,
    `## What Photon would do\n\n${would.map(line => `- ${line}`).join('\n')}`,
    `## What it never does\n\n${never.map(line => `- ${line}`).join('\n')}`,
    `## Permissions of the workflow\n\n${permissions.map(([name, why]) => `- \`${name}\`: ${why}`).join('\n')}`,
    `## Before you merge\n\n${listSteps(found)
      .map((step, i) => `${i + 1}. ${step}`)
      .join('\n')}`,
    mark,
  ]);
}

const listNames = (list: readonly string[]) =>
  listFirst(list, each => inlineText(each, 120), { most: 10 });

function foundLines(found: Onboarding): readonly string[] {
  const { languages, test, setup, instructions, protectedFiles } = found;
  const each = languages.slice(0, 5).map(l => `${l.name} (${plural(l.files, 'file')})`);
  return [
    `- Languages: ${each.join(', ') || 'none that Photon has an index for'}`,
    test === undefined
      ? '- Test command: none found. Set `verify.command` in `.photon/config.json`.'
      : `- Test command: ${inlineText(test.command)}, from ${inlineText(test.because)}`,
    `- Set-up: ${setup === '' ? 'none' : inlineText(setup)}`,
    `- Rules and instructions: ${instructions.length === 0 ? 'none' : listNames(instructions)}`,
    `- Protected: ${plural(protectedFiles, 'file')} that no patch may touch, such as workflows and configuration`,
  ];
}

function addedLines({ added, kept }: Onboarding): readonly string[] {
  return [
    ...added.map(({ path, about }) => `- \`${path}\`: ${about}`),
    ...kept.map(path => `- \`${path}\` exists already and is not changed`),
  ];
}

const would = [
  'Work on a task that somebody with write access gives it: `/photon fix …` in an issue or a pull request, the label `photon`, or a start of the workflow by hand.',
  'Run the tests before and after its change, without network, and open a pull request only with a patch that passed.',
  'Otherwise say in one comment why it stopped.',
];

const never = [
  'Push to the default branch, merge, approve, or release.',
  'Change a protected path, or weaken its own rules: they are read from the default branch.',
  'Give a key to a command, or obey text in issues of people without write access.',
];

export function listSteps(found: Pick<Onboarding, 'model' | 'pulls' | 'test' | 'kept'>) {
  const { model, pulls, test, kept } = found;
  const forModel =
    model === ''
      ? 'Photon repairs failing tests only, because no model is named. For other tasks, set the inputs `model` and `api-key` in the workflow.'
      : 'Store the model key as the repository secret `PHOTON_API_KEY`: `gh secret set PHOTON_API_KEY`.';
  // a file that stays may name another command, and another model
  return [
    test === undefined && !kept.includes('.photon/config.json')
      ? 'Set `verify.command` in `.photon/config.json`, because no test command was found.'
      : undefined,
    kept.includes('.github/workflows/photon.yml') ? undefined : forModel,
    pullStep(pulls),
  ].filter(item => item !== undefined);
}

function pullStep({ mayOpenPulls, page }: PullSetting): string {
  const setting = `"Allow GitHub Actions to create and approve pull requests" (${page}, Workflow permissions)`;
  if (mayOpenPulls === undefined)
    return `Check that ${setting} is on. It is unknown here: only a token with the permission Administration can read it.`;
  return mayOpenPulls ? `${setting} is on: nothing to do.` : `Turn on ${setting}.`;
}
