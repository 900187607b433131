/** What is stated of another agent: its action, and what each of its settings is at Photon, with what several agents have in common. Pure. */
import { normalisePath } from '../../guard/paths.ts';
import type { OutputName } from '../../settings/output.ts';
import { splitNames } from '../../settings/setting.ts';
import type { InputName } from '../../settings/settings.ts';
import { triggerWord } from '../../settings/triggers.ts';

/** What a setting of another agent is at Photon. A text alone says why it has no counterpart, or what is nearest. */
export type Counterpart = string | Carried | Covered | Nested;

interface Carried {
  readonly to: InputName;
  /**
   * The text of the input, or several inputs; empty for the default, and undefined for a value that Photon cannot take.
   * Without it, the value stays as it is.
   */
  readonly read?: (value: string) => string | InputValues | undefined;
  readonly note?: string;
}

/** What Photon does without a setting. */
interface Covered {
  readonly here: string;
}

/** A text that holds further settings. */
interface Nested {
  readonly holds: 'arguments' | 'json';
  /** By flag, or by path in the JSON, such as `model.name`. */
  readonly entries: Counterparts;
}

export type Counterparts = Readonly<Record<string, Counterpart>>;
export type InputValues = Readonly<Partial<Record<InputName, string>>>;

export interface SourceAgent {
  /** As `--from` takes it. */
  readonly name: string;
  readonly title: string;
  /** Matches its action, without the version. */
  readonly uses: RegExp;
  /** Where its inputs are described. */
  readonly source: string;
  /** Its inputs, those of earlier versions as well. */
  readonly inputs: Counterparts;
  /** Values of inputs that are not given, which matter to the events that start it. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Its outputs; undefined for one without a counterpart. */
  readonly outputs: Readonly<Record<string, OutputName | undefined>>;
}

/** What a workflow is for. */
export type Kind = 'commands' | 'review' | 'repair' | 'task';

/** What Photon says about settings that several agents have. */
export const notes = {
  tools:
    'The tools of Photon are fixed and its rules judge every call. Commands run in the sandbox; skills grant further tools (docs/skills.md).',
  instructions:
    'Put standing instructions into AGENTS.md or CLAUDE.md. Photon shows them to the model (docs/prompts.md).',
  servers: 'MCP servers are in mcp.servers of .photon/config.json (docs/mcp-tools.md).',
  environment: 'Commands see the variables that sandbox-env names, and never a key.',
  version: 'The version of Photon is the one behind its uses.',
  log: 'The ledger and the report hold every step. record: true keeps the replies of the model, too.',
  session: 'The artifact holds the session. photon run --continue goes on with a run.',
  cloud:
    'Photon calls one endpoint: base-url names it, and key-exchange gets its key (docs/access.md).',
  profile: 'agent-profile names a profile of Photon (docs/prompts.md).',
  skills: 'Skills add knowledge and tools (docs/skills.md).',
  schema: 'Put the schema into a file, and name it in output-schema.',
} as const;

/** Takes the values that match as they are. */
const only = (form: RegExp) => (value: string) => (form.test(value) ? value : undefined);

const isAlias = (name: string) =>
  /^(?:sonnet|opus|haiku|fable|opusplan|best|auto|default|inherit|true)$/i.test(
    name.replace(/\[\w+\]$/, ''),
  );

/** A number, or an expression that becomes one. */
export const wholeNumber = (to: 'max-rounds' | 'timeout-minutes' | 'max-cost'): Counterpart => ({
  to,
  read: only(/^\d+(?:\.\d+)?$|^\$\{\{/),
});

/** A path without the top of the checkout in front; undefined for one outside of it. */
function insideRepository(value: string): string | undefined {
  const path = value.replace(/^\$\{\{ *github\.workspace *\}\}(?:\/|$)/, '');
  return path.includes('$' + '{{') ? path : normalisePath(path);
}

export const fileOfRepository = (to: 'task-file' | 'output-schema'): Counterpart => ({
  to,
  read: value => insideRepository(value) || undefined,
  note: 'Photon reads it from the trusted branch, so it must be a file of the repository.',
});

/** What settings of several agents become. */
export const shared = {
  /** A word that starts the agent. One without a sign in front could be any word of a comment. */
  triggerWords: {
    to: 'trigger-words',
    read: value => {
      const words = splitNames(value);
      return words.every(word => triggerWord.test(word)) ? words.join(',') : undefined;
    },
    note: 'A word has @, / or ! in front, and stands at the beginning of a line.',
  },
  /** A key. Only an expression is taken: a key in plain text must not be copied. */
  apiKey: {
    to: 'api-key',
    read: only(/^\$\{\{/),
    note: 'A key in plain text is not copied.',
  },
  token: {
    to: 'github-token',
    read: value => {
      const isDefault = /^\$\{\{ *(?:secrets\.GITHUB_TOKEN|github\.token) *\}\}$/.test(value);
      return isDefault ? '' : only(/^\$\{\{/)(value);
    },
    note: 'The token of the workflow is the default.',
  },
  /** Logins of bots. A star would let in any app. */
  botNames: {
    to: 'allowed-bots',
    read: only(/^[^*]*$/),
    note: 'Photon takes no *: name each bot.',
  },
  /** Alone, a name of a model; `sonnet` and the like are names of the agent, not of the endpoint. */
  modelName: {
    to: 'model',
    read: value => (isAlias(value) ? undefined : value),
    note: 'An alias such as sonnet is no name at the endpoint. Without a model, Photon takes a cheap current one of the vendor.',
  },
  fallbackModels: {
    to: 'fallback-models',
    read: value => {
      const names = splitNames(value).filter(name => !isAlias(name));
      return names.length === 0 ? undefined : names.join(',');
    },
    note: 'An alias such as sonnet is no name at the endpoint.',
  },
  /** A folder; the top folder is the default. */
  folderOfRepository: {
    to: 'working-directory',
    read: insideRepository,
    note: 'It must be a folder of the repository.',
  },
  /** Paths that commands may read: absolute, or inside of the checkout. */
  readableFolders: {
    to: 'sandbox-read',
    note: 'A path is absolute, or inside of the checkout.',
  },
} as const satisfies Counterparts;
