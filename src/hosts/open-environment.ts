/** What a run works in, whatever the host: the checkout, the settings, the key, and what is hidden. */
import { isAbsolute } from 'node:path';
import { loadSettings, loadTaskTexts } from '../agent/context/policy.ts';
import { pathMatcher } from '../base/path-patterns.ts';
import { redactSecrets, type SecretForms, secretForms } from '../guard/secrets/secrets.ts';
import { exchangeKey, type KeySource, openKeySource } from '../model/keys/key-source.ts';
import { proxySecrets } from '../process/network.ts';
import { requireSystem, systemName } from '../process/system.ts';
import { openTimeLimit, type TimeLimit } from '../process/time-limit.ts';
import { listSecretParts } from '../settings/model.ts';
import { type InputName, inputs, parseTimeoutMs, type Settings } from '../settings/settings.ts';
import { hostCredentials } from '../workspace/files/host-credentials.ts';
import type { RunFolder } from '../workspace/files/run-folder.ts';
import { type Git, openGit } from '../workspace/git/git.ts';
import { openShipped } from '../workspace/trusted/shipped.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import type { RunEnvironment, RunInput } from './host.ts';

// wider than what may not be passed to commands: a value that is hidden for nothing costs nothing
const secretName = /(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|CREDENTIALS?)/i;

/** A checkout before its settings are read. */
export interface OpenCheckout extends Pick<RunEnvironment, 'input' | 'log' | 'scrub' | 'secrets'> {
  /** All of it; a run may see less. */
  readonly git: Git;
  /** Adds secrets that are known only now. */
  readonly hide: (...secrets: readonly string[]) => void;
  /** Ends with the opening: what is opened then goes on without it. */
  readonly limit: TimeLimit;
}

/**
 * Opens the checkout, and closes it if the rest of the opening fails.
 * @throws PhotonError `PLATFORM_UNSUPPORTED`, `GIT`, and those of the work.
 */
export async function withCheckout<T>(
  input: RunInput,
  folder: RunFolder,
  work: (checkout: OpenCheckout) => Promise<T>,
): Promise<T> {
  requireSystem(systemName);
  const hidden = hiding(input, hostCredentials(input));
  const ms = parseTimeoutMs(input.inputs);
  const limit = openTimeLimit(input.signal, { ms, now: input.now });
  const { scratch } = folder;
  const git = await openGit(input.workspace, { scratch, programs: input.programs });
  const log = (line: string) => input.log.line(line);
  try {
    return await work({ input, git, limit, log, ...hidden });
  } catch (error) {
    git.close();
    throw error;
  } finally {
    limit.close();
  }
}

/** What is the same for every host. */
export type CommonEnvironment = Omit<
  RunEnvironment,
  'baseRef' | 'memory' | 'images' | 'pullDiff' | 'findAdvisories'
> & {
  readonly now: () => number;
  /** Login of the caller: the person or bot that caused this process to start. */
  readonly askedBy: string;
  close(): Promise<void>;
};

/**
 * Reads the settings of the trusted files, and gets the key of the model if a run is going to ask one: a key that cannot
 * be had ends the run before anything else is done.
 * @throws PhotonError `CONFIG_INVALID`, `SETTING_INVALID`, `PROMPT_INVALID`, and those of the key.
 */
export async function openEnvironment(
  { input, git: checkout, hide, log, scrub, secrets }: OpenCheckout,
  trusted: TrustedFiles,
  { asksModel }: { readonly asksModel: boolean },
): Promise<CommonEnvironment> {
  const read = await loadSettings(input.inputs, trusted, input.ownConfig);
  const git = (await withhold(checkout, read.neverSend)).showing(read.commandReads);
  hide(...(await git.untrackedCredentials()).values);
  hide(...listSecretParts(read));
  const modelKey = openModelKey(input, read, hide);
  const isRun = read.mode === 'run' || read.mode === 'review';
  const asks = isRun && input.replay === undefined && asksModel;
  const shipped = openShipped(input.root);
  return {
    input,
    git,
    settings: { ...read, apiKey: asks ? await modelKey() : '' },
    modelKey,
    shipped,
    taskTexts: loadTaskTexts(shipped),
    baseCommit: git.commit,
    askedBy: input.actor,
    now: input.now,
    secrets,
    log,
    scrub,
    close: async () => {
      try {
        git.close();
      } catch (error) {
        log(`Photon could not clean up: ${(error as Error).message}`); // the runs have ended as they did
      }
    },
  };
}

/** What a run sees of the checkout; the trusted files are read from all of it. */
async function withhold(checkout: Git, patterns: readonly string[]): Promise<Git> {
  if (patterns.length === 0) return checkout;
  const matches = pathMatcher(patterns);
  return checkout.without(path => path !== '' && matches(path) !== undefined);
}

function findSecrets(input: RunInput): readonly string[] {
  const fromEnv = Object.entries(input.env).filter(
    ([name, value]) => secretName.test(name) && value !== undefined && !isAbsolute(value),
  );
  const fromInputs = Object.entries(input.inputs).flatMap(([name, text]) =>
    text !== undefined && inputs[name as InputName].secret === true ? [text] : [],
  );
  return [
    // a private key without its armour, which any text about keys holds
    ...fromInputs.map(text => text.replace(/-----[A-Z ]+-----/g, '').trim()),
    ...fromEnv.map(([, value]) => value ?? ''),
    ...proxySecrets(input.env),
  ];
}

/** The key of the model: from the input, or from the OIDC exchange, which renews it. */
function openModelKey(
  input: RunInput,
  { apiKey, keyExchange }: Settings,
  hide: (secret: string) => void,
): KeySource {
  if (keyExchange === undefined) return async () => apiKey;
  const exchange = {
    idTokenUrl: input.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '',
    idTokenBearer: input.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '',
    settings: keyExchange,
    signal: input.signal,
    now: input.now,
  };
  return openKeySource({
    issue: () => exchangeKey(exchange),
    now: input.now,
    arrived: key => {
      hide(key);
      input.log.mask(key);
    },
  });
}

/**
 * Blanks the secrets of this run, in the log too. Commands see none of the credentials that were found in
 * files of this machine, and their output is scrubbed of them all the same.
 */
function hiding(
  input: RunInput,
  found: readonly string[],
): Pick<OpenCheckout, 'secrets' | 'scrub' | 'hide'> {
  const known = [...findSecrets(input), ...found];
  let forms = secretForms(known);
  const secrets: SecretForms = {
    get forms() {
      return forms.forms;
    },
    get windows() {
      return forms.windows;
    },
    get pieces() {
      return forms.pieces;
    },
  };
  const scrub = (text: string) => redactSecrets(text, secrets);
  input.log.hide(scrub);
  const hide = (...secrets: readonly string[]) => {
    if (secrets.length === 0) return;
    known.push(...secrets);
    forms = secretForms(known);
  };
  return { secrets, scrub, hide };
}
