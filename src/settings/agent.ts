/** Settings of the agent: configuration file, profile, skills, and the text that it may see. */
import * as z from 'zod';
import {
  checkedBy,
  choice,
  githubSetting,
  matching,
  relativePath,
  setting,
  textValue,
  trueOrFalse,
} from './setting.ts';

/** Name of a shipped profile, or the path of a JSON file inside the repository. */
const profileName = /^(?:[a-z0-9][a-z0-9-]{0,59}|(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).{1,300}\.json)$/;
const profileRule = 'the name of a shipped profile, or a path in the repository that ends in .json';

const skillRoots = (): z.ZodType<readonly string[]> => z.array(z.string().min(1).max(200));

/** A repository, and a branch or the full id of a commit. */
const centralName = /^[A-Za-z0-9][\w-]*\/[\w.-]+@[\w./-]+$/;
const centralRule = 'owner/name@branch or owner/name@commit';

export const agentSettings = {
  configPath: setting(textValue(undefined, 'file'), {
    input: 'config',
    default: '.photon/config.json',
    description: 'Configuration file. On GitHub it is read from the trusted branch.',
  }),
  extends: setting(
    checkedBy(() => z.string().regex(centralName, centralRule)),
    {
      key: 'extends',
      default: undefined,
      description:
        "Repository whose .photon/config.json and constitution.md hold for this one, too, as owner/name@branch or owner/name@commit. This repository's own may only tighten them (docs/platform-team.md). A run at a terminal does not read it.",
    },
  ),
  agentProfile: setting(
    matching(() => z.string().regex(profileName, profileRule), profileRule, 'profile'),
    {
      input: 'agent-profile',
      key: 'agent.profile',
      terminalOnly: true,
      default: 'photon',
      description:
        'Agent profile (prompts, protocol, memory): photon, kjxlkj-agent, or the path of a JSON file on the trusted branch (docs/prompts.md).',
    },
  ),
  skillRoots: setting(checkedBy(skillRoots), {
    key: 'agent.skillRoots',
    aliases: ['agent.skill_roots'],
    default: ['photon:*'],
    description:
      'Allowlist of skills: "photon:*", "photon:<name>", folders of the repository, or folder/<name>.',
  }),
  repositoryInstructions: setting(trueOrFalse(), {
    key: 'agent.repositoryInstructions',
    default: true,
    description:
      'Whether the model sees the instructions of the repository (AGENTS.md, CLAUDE.md, Copilot instructions) as advice. They are read from the trusted branch.',
  }),
  outputSchema: githubSetting(textValue(relativePath, 'file'), {
    input: 'output-schema',
    key: 'agent.outputSchema',
    default: '',
    description:
      'JSON Schema file on the trusted branch. A run that ends with answered also gives an object of that shape, in the output report (docs/dev/conversations.md). review.schema is that of a review.',
  }),
  untrustedText: setting(choice(['hide', 'show']), {
    key: 'untrustedText',
    default: 'hide',
    description:
      'Texts of issues and pull requests by people without write access. hide: the model does not see them. show: it sees them, marked as data that gives no orders.',
  }),
  conversation: setting(choice(['trusted', 'author', 'all', 'off']), {
    key: 'conversation',
    default: 'trusted',
    description:
      'What the model sees of a conversation. trusted: comments of people with write access. author: also those of its author. all: everybody’s. off: title and description alone, without the diff, the threads and the checks of a pull request.',
  }),
} as const;
