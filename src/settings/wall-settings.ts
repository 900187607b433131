/** Settings of the walls around commands: who may weaken them, and which variables never pass them. */
import * as z from 'zod';
import { PhotonError } from '../codes.ts';

const networks = ['none', 'setup', 'allow'] as const;
/** Most processes of a command when nobody says otherwise. */
const usualProcesses = 4096;

/** `sandbox` of a configuration: a repository's may tighten, a person's own may weaken, too. */
export const sandboxConfig = z.strictObject({
  network: z
    .enum(networks)
    .optional()
    .describe(
      "Which commands may use the network. A repository's configuration may say none alone.",
    ),
  env: z
    .array(z.string().regex(/^[A-Z_][A-Z0-9_]*$/i))
    .optional()
    .describe(
      "Environment variables that commands may see; never one that is named like a key. A repository's configuration may name none.",
    ),
  read: z
    .array(z.string().regex(/^\/[^\n\0]*$/, 'Not an absolute path.'))
    .optional()
    .describe(
      "Further files and folders of the machine that commands may read, absolute. A repository's configuration may name none.",
    ),
  memoryMb: z
    .int()
    .min(64)
    .optional()
    .describe('Maximum memory of a command, MiB; at most four fifths of the machine.'),
  processes: z
    .int()
    .min(8)
    .max(100_000)
    .optional()
    .describe(
      "Maximum processes of a command; default 4096, and at most that in a repository's configuration.",
    ),
});

export type SandboxConfig = z.infer<typeof sandboxConfig>;

/** What the walls let through. */
export interface WallSettings {
  readonly network: (typeof networks)[number];
  readonly commandEnv: readonly string[];
  /** Absolute paths. */
  readonly commandReads: readonly string[];
  /** Null takes four fifths of the machine's. */
  readonly commandMemoryBytes: number | null;
  /** Null takes the sandbox's own bound. */
  readonly commandProcesses: number | null;
}

/** Where settings of the walls may come from; an empty text is an input that is not given. */
export interface WallSources {
  readonly inputs: Readonly<
    Record<
      'network' | 'sandbox-env' | 'sandbox-read' | 'sandbox-memory-mb' | 'sandbox-processes',
      string
    >
  >;
  /** The person's own configuration. */
  readonly own: SandboxConfig;
  /** The configuration of the repository that is worked on. */
  readonly repository: SandboxConfig;
}

/**
 * An input decides, then the person's own configuration. What neither says, the repository may say as
 * long as it does not weaken a wall.
 * @throws PhotonError `CONFIG_WEAKENS`, `SETTING_INVALID`.
 */
export function parseWalls({ inputs, own, repository }: WallSources): WallSettings {
  const person: SandboxConfig = { ...own, ...sandboxConfigOf(inputs) };
  const weaker: Readonly<Record<keyof SandboxConfig, boolean>> = {
    network: (repository.network ?? 'none') !== 'none',
    env: (repository.env ?? []).length > 0,
    read: (repository.read ?? []).length > 0,
    memoryMb: false, // the machine's bound holds all the same
    processes: (repository.processes ?? 0) > usualProcesses,
  };
  for (const [name, weakens] of Object.entries(weaker) as [keyof SandboxConfig, boolean][])
    if (weakens && person[name] === undefined)
      throw new PhotonError(
        'CONFIG_WEAKENS',
        `The configuration of the repository sets sandbox.${name} to ${JSON.stringify(repository[name])}, which weakens the sandbox.`,
        { hint: hintOf(name) },
      );
  const { network, env = [], read = [], memoryMb, processes } = { ...repository, ...person };
  const key = env.find(isKeyName);
  if (key !== undefined)
    throw new PhotonError(
      'SETTING_INVALID',
      `sandbox-env: ${key} is named like a key, and keys are never passed to a command.`,
    );
  return {
    network: network ?? 'none',
    commandEnv: env,
    commandReads: read,
    commandMemoryBytes: memoryMb === undefined ? null : memoryMb * 1024 * 1024,
    commandProcesses: processes ?? null,
  };
}

const inputOf = {
  network: 'network',
  env: 'sandbox-env',
  read: 'sandbox-read',
  memoryMb: 'sandbox-memory-mb',
  processes: 'sandbox-processes',
} as const satisfies Record<keyof SandboxConfig, string>;

function hintOf(name: keyof SandboxConfig): string {
  const input = inputOf[name];
  return `Take sandbox.${name} out of it. Who trusts the repository gives ${input} as an input of the workflow, as --${input}, or in their own configuration (docs/settings.md).`;
}

/** The inputs, as far as they are given. */
function sandboxConfigOf(inputs: WallSources['inputs']): SandboxConfig {
  const env = inputs['sandbox-env'];
  const given = {
    ...(inputs.network === '' ? {} : { network: inputs.network }),
    ...(env === '' ? {} : { env: env === 'none' ? [] : namesIn(env) }),
    ...(inputs['sandbox-read'] === '' ? {} : { read: namesIn(inputs['sandbox-read']) }),
    ...numberOf('memoryMb', inputs['sandbox-memory-mb']),
    ...numberOf('processes', inputs['sandbox-processes']),
  };
  const parsed = sandboxConfig.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = inputOf[issue?.path[0] as keyof SandboxConfig];
  throw new PhotonError('SETTING_INVALID', `${name}: ${issue?.message}`);
}

const namesIn = (text: string) =>
  text
    .split(',')
    .map(n => n.trim())
    .filter(n => n !== '');

function numberOf(name: 'memoryMb' | 'processes', text: string): Record<string, number> {
  return text === '' ? {} : { [name]: Number(text) };
}

/** A word of a name that says that the value is a key, alone or at the end of a longer word. */
const keyWord =
  /(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|CREDS|APIKEYS?|ACCESSKEYS?|PRIVATEKEYS?|SECRETKEYS?|SIGNINGKEYS?)$|^(?:KEYS?|PAT|PASS|PWD|AUTH|DSN|COOKIES?|JWT|BEARER|NETRC)$/;

/** True for the name of a variable whose value is likely a key: such a one never reaches a command. */
export function isKeyName(name: string): boolean {
  if (name === 'PWD' || name === 'OLDPWD') return false; // the working folder
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[_\d]+/);
  return words.some(word => keyWord.test(word));
}
