/** Settings of the sandbox around commands: a repository's configuration may only tighten it. And which variables are named like keys. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { pathPattern } from '../base/path-patterns.ts';
import { checkedBy, choice, convertValue, list, setting, splitNames } from './setting.ts';

const networks = ['none', 'setup', 'allow'] as const;

/** As written: a word, or several words and hosts. */
export type NetworkValue = (typeof networks)[number] | 'services' | readonly string[];

/** Which commands may use the network, and where it ends. */
export interface NetworkAccess {
  readonly commands: (typeof networks)[number];
  /** The hosts that they can reach, such as `*.example.org:8443`; undefined for all. */
  readonly hosts: readonly string[] | undefined;
  /** True if commands without a network, or with hosts, reach the setting `services`. */
  readonly services: boolean;
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domain = `(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`;
const entry = new RegExp(`^(?:setup|allow|services|(?:\\*\\.)?${domain}(?::[1-9]\\d{0,4})?)$`);

/** A host name in its plain form: ASCII in lower case, at least two labels, no dot at the end, no address. */
export const plainHost = new RegExp(`^(?=.{1,253}$)${domain}$`);

const expected =
  'Write none, setup, allow, services, or hosts such as registry.example.org, *.example.org or example.org:8443 in lower case.';

export const networkValue = (): z.ZodType<NetworkValue> => {
  const hosts = z
    .array(z.string().regex(entry, expected))
    .max(101)
    .refine(list => list.some(item => isHost(item) || item === 'services'), expected);
  return z.union([z.enum([...networks, 'services']), hosts], { error: expected });
};

const isHost = (item: string) => item.includes('.');

/** Hosts alone are for the set-up command. */
export function toNetworkAccess(value: NetworkValue): NetworkAccess {
  const items = typeof value === 'string' ? [value] : value;
  const hosts = items.filter(isHost);
  const isOnline = hosts.length > 0 || items.includes('setup');
  return {
    commands: items.includes('allow') ? 'allow' : isOnline ? 'setup' : 'none',
    hosts: hosts.length > 0 ? hosts : undefined,
    services: items.includes('services'),
  };
}

/** A port on 127.0.0.1, or the name of a service in a container job and its port. */
const serviceEntry = /^(?:([a-z][a-z0-9_-]{0,62}):)?([1-9]\d{0,4})$/;

/** A service of the job, by the name that commands use for it; without one, it is on 127.0.0.1. */
export interface Service {
  readonly name: string | undefined;
  readonly port: number;
}

/** @param entry such as `5432` or `postgres:5432`. */
export function readService(entry: string): Service {
  const [, name, port] = serviceEntry.exec(entry) ?? [];
  return { name, port: Number(port) };
}

const serviceEntries = (): z.ZodType<readonly string[]> =>
  z
    .array(z.string().regex(serviceEntry, 'Write ports, such as 5432 or postgres:5432.'))
    .max(10)
    .refine(list => new Set(list).size === list.length, 'Name each port once.')
    .refine(list => list.every(e => isOpenPort(readService(e))), 'Ports are 1024 to 65535.');

/** A program without capabilities opens no lower one. */
const isOpenPort = ({ port }: Service) => port >= 1024 && port < 65_536;

/** Maximum processes of a command if no setting says otherwise. */
const defaultProcesses = 4096;

const variables = (): z.ZodType<readonly string[]> =>
  z.array(z.string().regex(/^[A-Z_][A-Z0-9_]*$/i));
const readablePaths = (): z.ZodType<readonly string[]> =>
  z.array(
    z
      .string()
      .regex(
        /^(?:\/|(?!\.\.?(?:\/|$)|.*\/\.\.(?:\/|$)))[^\n\0]*$/,
        'Not an absolute path, and not a path in the checkout.',
      ),
  );

const commas = { form: 'name,...', inputNote: 'Separate several with commas.' };

export const sandboxSettings = {
  sandbox: setting(choice(['required', 'auto', 'none']), {
    input: 'sandbox',
    key: 'sandbox.mode',
    default: 'auto',
    weakens: mode => mode === 'none',
    tightens: mode => mode === 'required',
    description:
      "required: fail unless the sandbox gives every guarantee. auto: required in a job on Linux; elsewhere the best sandbox available, with a list of what is missing, and an error if there is none. none: run without a sandbox; a pull request is then a draft. A repository's configuration cannot set none.",
  }),
  network: setting(
    convertValue(
      checkedBy(networkValue, {
        form: 'none|setup|allow|services|host,...',
        inputNote: 'Separate several hosts with commas.',
        read: text => (/[,.]/.test(text) ? splitNames(text) : text),
      }),
      toNetworkAccess,
    ),
    {
      input: 'network',
      key: 'sandbox.network',
      default: 'none',
      weakens: network => network !== 'none',
      tightens: network => network === 'none',
      description:
        "Which commands may use the network: none, setup (the set-up command, which runs on the base without the patch, and the tools that make the lock files of a merge anew, as long as the patch changes no manifest) or allow (all of them). Or the hosts that the set-up command can reach, and no others, such as packages.example.com, *.example.org, example.org:8443; with allow among them, all commands can reach them. The word services, alone or with others, lets all commands reach the setting services. A repository's configuration cannot set more than none.",
    },
  ),
  /** Entries of `readService`; empty unless `network` has the word. */
  services: setting(checkedBy(serviceEntries, { form: 'port,...', read: splitNames }), {
    input: 'services',
    key: 'sandbox.services',
    default: [],
    weakens: services => services.length > 0,
    description:
      "The ports of the job's services that all commands can reach on 127.0.0.1 if network has the word services, such as 5432, 6379; in a container job with the name of the service, such as postgres:5432. They reach nothing else of the machine. A repository's configuration cannot add any.",
  }),
  commandEnv: setting(
    checkedBy(variables, {
      ...commas,
      read: text => (text === 'none' ? [] : splitNames(text)),
    }),
    {
      input: 'sandbox-env',
      key: 'sandbox.env',
      default: [],
      weakens: names => names.length > 0,
      description:
        "Environment variables that commands may see. The input none means no variable. Photon never passes a variable that is named like a key. A repository's configuration cannot add any.",
    },
  ),
  /** Absolute paths, and paths relative to the top of the checkout. */
  commandReads: setting(checkedBy(readablePaths, { ...commas, read: splitNames }), {
    input: 'sandbox-read',
    key: 'sandbox.read',
    default: [],
    weakens: paths => paths.length > 0,
    description:
      "Absolute paths of additional files and folders of the machine that commands may read, and untracked paths of the checkout, such as .npmrc, which they do not see otherwise. docs/sandbox.md lists what they may always read. A repository's configuration cannot add any.",
  }),
  /** Paths of the repository that no command and no model sees. */
  neverSend: setting(
    list(() => pathPattern, 200),
    {
      key: 'neverSend',
      default: [],
      adds: true,
      description:
        'Patterns of paths, as in .gitignore, whose content never reaches the model. Tools, commands and tests work without these files, and the commit keeps them unchanged (docs/privacy.md). Configurations add to each other.',
    },
  ),
  /** Undefined means four fifths of the machine's memory. */
  commandMemoryBytes: setting(
    convertValue(
      checkedBy(() => z.int().min(64)),
      mebibytes => mebibytes * 1024 * 1024,
    ),
    {
      key: 'sandbox.memoryMb',
      default: undefined,
      weakens: () => false, // the limit of the machine holds all the same
      description:
        'Maximum memory of a command, in MiB. It is never more than four fifths of the memory of the machine, which is the default.',
    },
  ),
  /** Undefined means the limit of the sandbox itself, `defaultProcesses`. */
  commandProcesses: setting(
    checkedBy(() => z.int().min(8).max(100_000), { form: 'number', read: Number }),
    {
      input: 'sandbox-processes',
      key: 'sandbox.processes',
      default: undefined,
      weakens: processes => processes > defaultProcesses,
      description: `Maximum processes of a command. If it is not set, ${defaultProcesses}. A repository's configuration can only lower it.`,
    },
  ),
} as const;

/** @throws PhotonError `SETTING_INVALID` for a variable whose value is likely a key. */
export function requireNoKeyNames(names: readonly string[]): void {
  const key = names.find(isKeyName);
  if (key === undefined) return;
  throw new PhotonError(
    'SETTING_INVALID',
    `sandbox-env: ${key} is named like a key, and keys are never passed to a command.`,
  );
}

/** @throws PhotonError `SETTING_INVALID` if one of `services` and the word in `network` is without the other. */
export function requireServices(network: NetworkAccess, services: readonly string[]): void {
  if (network.services === services.length > 0) return;
  throw new PhotonError(
    'SETTING_INVALID',
    network.services
      ? 'network: services needs the ports, such as services: 5432, 6379.'
      : 'services needs the word services in network, such as network: setup, services.',
  );
}

/** Words that mark a name if they end one of its parts, as in `APITOKEN`. */
const keyEnding =
  /((TOKEN|SECRET|CREDENTIAL|(API|ACCESS|PRIVATE|SECRET|SIGNING)KEY)S?|PASS(WORDS?|WD|PHRASE)|CREDS)$/;

/** Words that mark a name only if they are a whole part of it, as in `DB_PASS`. */
const keyPart = /^(?:KEYS?|PAT|PASS|PWD|AUTH|DSN|COOKIES?|JWT|BEARER|NETRC)$/;

/** True if the value of a variable with this name is likely a key. Such a variable never reaches a command. */
export function isKeyName(name: string): boolean {
  if (name === 'PWD' || name === 'OLDPWD') return false; // the working folder
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[_\d]+/);
  return parts.some(part => keyPart.test(part) || keyEnding.test(part));
}
