/** Settings of the triggers: who may start a run on GitHub, and how. */
import * as z from 'zod';
import {
  checkedBy,
  choice,
  githubSetting,
  list,
  setting,
  textValue,
  trueOrFalse,
} from './setting.ts';

const loginRule = 'a login, without @';
/** The login of a person. Those of Enterprise Managed Users have an underscore: `mona_acme`. */
export const loginPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/;
const login = () => z.string().regex(loginPattern, loginRule);
const team = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[a-z0-9][a-z0-9_-]{0,99}$/, 'organisation/team-slug');
/** The login of a bot, with or without its `[bot]`, or its number: GitHub says of an account whether it is one. */
const botName = () =>
  z
    .string()
    .regex(
      /^(?:[A-Za-z0-9][A-Za-z0-9-]{0,60}(?:\[bot\])?|[1-9]\d{0,17})$/,
      'the login of a bot, such as dependabot[bot] or Copilot, or its user id',
    );

/** A word of the team's own that gives commands. Its sign keeps it apart from plain text. */
export const triggerWord = /^[@/!][A-Za-z0-9][A-Za-z0-9_-]{0,38}$/;
const word = () => z.string().regex(triggerWord, 'a word with @, / or ! in front, such as @photon');

/** These become `settings.triggers`. */
export const triggerSettings = {
  label: githubSetting(
    textValue(() => z.string().min(1).max(50)),
    {
      input: 'trigger-label',
      key: 'triggers.label',
      default: 'photon',
      description: 'Label that starts a run when it is added to an issue.',
    },
  ),
  /** Only an input: the condition of the job must name the same words. */
  words: githubSetting(list(word, 10), {
    input: 'trigger-words',
    default: [],
    description:
      'Words that give commands as /photon does, such as @photon or /fix. If no command follows one, the words behind it are the task of fix. Name them in the if of the job, too (docs/triggers.md).',
  }),
  keepGreen: setting(choice(['asked', 'own']), {
    key: 'triggers.keepGreen',
    default: 'asked',
    description:
      'Pull requests that Photon keeps green. asked: those with the command or the label. own: also its own.',
  }),
  keepGreenLabel: setting(
    textValue(() => z.string().min(1).max(50)),
    {
      key: 'triggers.keepGreenLabel',
      default: 'photon-keep-green',
      description: 'Label that has Photon keep a pull request green, as long as it is set.',
    },
  ),
  assignee: setting(checkedBy(login), {
    key: 'triggers.assignee',
    default: '',
    description: 'Login that starts a run when an issue is assigned to it.',
  }),
  allowedUsers: setting(list(login, 200), {
    key: 'triggers.allowedUsers',
    default: [],
    description:
      'Logins of the people with write access whose commands Photon accepts. If this and allowedTeams are empty, everyone with write access.',
  }),
  allowedTeams: setting(list(team, 20), {
    key: 'triggers.allowedTeams',
    default: [],
    description:
      'Teams, as organisation/slug, whose members with write access may give commands. The token must be allowed to read the members of the organisation.',
  }),
  allowedBots: setting(list(botName, 50), {
    key: 'triggers.allowedBots',
    default: [],
    description:
      'Bots that may give commands: by login, with or without its ending (renovate[bot], renovate, Copilot), or by user id (49699333), which no other account can take over. * is refused. A person with such a login does not count.',
  }),
  approve: setting(choice(['off', 'required']), {
    key: 'triggers.approve',
    default: 'off',
    description:
      'off: a task runs to its end. required: every task stops after its plan until someone comments /photon approve with the digest of the plan.',
  }),
  approveByOther: setting(trueOrFalse(), {
    key: 'triggers.approveByOther',
    default: false,
    description: 'Require that someone other than the requester approves the plan.',
  }),
  forks: setting(choice(['refuse', 'suggest']), {
    key: 'triggers.forks',
    default: 'refuse',
    description:
      'Commands on pull requests from forks. refuse: ignore them. suggest: run the code in a sandbox with every guarantee, and answer with review suggestions.',
  }),
} as const;
