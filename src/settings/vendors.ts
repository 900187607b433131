/** Vendors of models: their addresses, the variables and forms of their keys, and whose address a key may go to. Pure. */
import { PhotonError } from '../base/codes.ts';

interface Vendor {
  readonly name: string;
  /** Its name in the GenAI conventions of OpenTelemetry. */
  readonly provider: string;
  /** Matches the hosts of its addresses; absent where that of `baseUrl` is the only one. */
  readonly host?: RegExp;
  /** Its address; absent where every customer has another one. */
  readonly baseUrl?: string;
  /** Variables in which its customers keep their key, the usual one first. */
  readonly keyNames: readonly string[];
  /** Matches its keys, and no key of another vendor; absent where they have no form of their own. */
  readonly keyForm?: RegExp;
  /** Matches the names of its own models. */
  readonly models?: RegExp;
  /** True where models of many vendors are served; `prefixed` if their names hold the vendor. */
  readonly serves?: 'prefixed' | 'any';
  /** A model that is cheap and current, for a key alone. */
  readonly model?: string;
}

/** The vendors; the first whose host, key or model matches is meant. Addresses and variables: 2026-11-27. */
const vendors: readonly Vendor[] = [
  {
    // https://platform.claude.com/docs/en/api/overview, https://platform.claude.com/docs/en/models/haiku-5-5/overview
    name: 'Anthropic',
    provider: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyNames: ['ANTHROPIC_API_KEY'],
    keyForm: /^sk-ant-/,
    models: /^claude-/,
    model: 'claude-haiku-5-5',
  },
  {
    // https://openrouter.ai/docs/quickstart
    name: 'OpenRouter',
    provider: 'openrouter.ai',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyNames: ['OPENROUTER_API_KEY'],
    keyForm: /^sk-or-/,
    serves: 'prefixed',
    model: 'openai/gpt-6-luna',
  },
  {
    // https://developers.openai.com/api/docs/models; open models of OpenAI (gpt-oss) are not served there
    name: 'OpenAI',
    provider: 'openai',
    host: /(?:^|\.)api\.openai\.com$/,
    baseUrl: 'https://api.openai.com/v1',
    keyNames: ['OPENAI_API_KEY'],
    keyForm: /^sk-(?:proj|svcacct|admin)-|T3BlbkFJ/,
    models: /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d(?:$|-))/,
    model: 'gpt-6-luna',
  },
  {
    // https://ai.google.dev/gemini-api/docs/openai
    name: 'Google',
    provider: 'gcp.gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyNames: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    keyForm: /^AIza/,
    models: /^gemini-/,
    model: 'gemini-3.8-flash',
  },
  {
    // https://learn.microsoft.com/azure/ai-services/openai/reference: the address holds the name of the resource
    name: 'Azure',
    provider: 'azure.ai.openai',
    host: /\.(?:openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)$/,
    keyNames: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    serves: 'any',
  },
  {
    // https://console.groq.com/docs/openai
    name: 'Groq',
    provider: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyNames: ['GROQ_API_KEY'],
    keyForm: /^gsk_/,
    serves: 'any',
    model: 'openai/gpt-oss-120b',
  },
  {
    // https://docs.mistral.ai/api
    name: 'Mistral',
    provider: 'mistral_ai',
    host: /^(?:api|codestral)\.mistral\.ai$/,
    baseUrl: 'https://api.mistral.ai/v1',
    keyNames: ['MISTRAL_API_KEY'],
    models: /^(?:(?:open-)?mi[sx]tral|ministral|magistral|devstral|codestral|pixtral)-/,
    model: 'mistral-medium-latest',
  },
  {
    // https://api-docs.deepseek.com/quick_start/pricing
    name: 'DeepSeek',
    provider: 'deepseek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyNames: ['DEEPSEEK_API_KEY'],
    models: /^deepseek-/,
    model: 'deepseek-flash',
  },
  {
    // https://docs.x.ai/docs/api-reference
    name: 'xAI',
    provider: 'x_ai',
    baseUrl: 'https://api.x.ai/v1',
    keyNames: ['XAI_API_KEY'],
    keyForm: /^xai-/,
    models: /^grok-/,
    model: 'grok-4.3',
  },
  {
    // https://docs.perplexity.ai
    name: 'Perplexity',
    provider: 'perplexity',
    baseUrl: 'https://api.perplexity.ai',
    keyNames: [],
    keyForm: /^pplx-/,
  },
  {
    // https://huggingface.co/docs/inference-providers
    name: 'Hugging Face',
    provider: 'router.huggingface.co',
    baseUrl: 'https://router.huggingface.co/v1',
    keyNames: [],
    keyForm: /^hf_/,
    serves: 'prefixed',
  },
  {
    // https://docs.api.nvidia.com
    name: 'NVIDIA',
    provider: 'integrate.api.nvidia.com',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    keyNames: ['NVIDIA_API_KEY'],
    keyForm: /^nvapi-/,
    serves: 'prefixed',
  },
];

/** The keys of a terminal as the text of the input `api-key`: `PHOTON_API_KEY`, or a line for each vendor's variable. */
export function readTerminalKeys(env: Readonly<Record<string, string | undefined>>): string {
  if (env.PHOTON_API_KEY) return env.PHOTON_API_KEY;
  const named = vendors.flatMap(({ keyNames }) =>
    keyNames.flatMap(name => (env[name] ? [`${name}=${env[name]}`] : [])),
  );
  return named.join('\n');
}

interface NamedKey {
  readonly vendor: Vendor;
  readonly variable: string;
  readonly key: string;
}

/** The keys in the lines that `readTerminalKeys` makes; undefined for any other text, which is one key. */
function namedKeys(text: string): readonly NamedKey[] | undefined {
  const found = text.split('\n').flatMap(line => {
    const [, variable = '', key = ''] = /^([A-Z_]+)=(.+)$/.exec(line) ?? [];
    const vendor = vendors.find(({ keyNames }) => keyNames.includes(variable));
    return vendor === undefined ? [] : [{ vendor, variable, key: key.trim() }];
  });
  return found.length === 0 ? undefined : found;
}

/** The host of an address; empty for a text that is none. */
export const getHost = (baseUrl: string) =>
  URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';

/** The vendor that serves an address; undefined for one that no entry names. */
export const findVendorAt = (baseUrl: string) =>
  vendors.find(({ host, baseUrl: own = '' }) =>
    host === undefined ? getHost(own) === getHost(baseUrl) : host.test(getHost(baseUrl)),
  );

const findKeyOwner = (key: string) => vendors.find(({ keyForm }) => keyForm?.test(key));

const findModelVendor = (model: string) => vendors.find(({ models }) => models?.test(model));

/** What a person set of an endpoint; empty texts for what is not set. */
export interface EndpointSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** Vendors whose exchange gives keys of their own, by the names of the setting `key-exchange`. */
const issuers: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  azure: 'Azure',
  openrouter: 'OpenRouter',
};

/**
 * The endpoint that is meant, with a complete address. A key goes to the address that a person named, or to the vendor that
 * the key itself, its variable or the name of the model tells; never to the address of another vendor.
 * @throws PhotonError `KEY_ADDRESS` where that would happen, or where nothing tells whose the key is.
 */
export function findEndpoint({
  issuer,
  ...all
}: EndpointSettings & { readonly issuer?: string | undefined }): EndpointSettings {
  const { baseUrl, apiKey, model } = all;
  const given = { baseUrl, apiKey, model };
  const keys = namedKeys(given.apiKey);
  if (given.model === 'builtin')
    return { ...given, apiKey: keys === undefined ? given.apiKey : '' };
  if (issuer !== undefined && apiKey === '') return atIssuer(given, issuer);
  if (given.baseUrl !== '') return atAddress(given, keys);
  return keys === undefined ? byKey(given) : byVariables(given, keys);
}

/** An exchanged key goes to the vendor that gives it; the keys of other issuers go to the address that a person named. */
function atIssuer(given: EndpointSettings, issuer: string): EndpointSettings {
  const { baseUrl } = given;
  const owner = vendors.find(({ name }) => name === issuers[issuer]);
  const vendor = baseUrl === '' ? owner : findVendorAt(baseUrl);
  if (owner !== undefined && vendor !== undefined && vendor !== owner)
    throw wrongAddress(
      `key-exchange gets a key of ${owner.name}, and base-url is ${getHost(baseUrl)}.`,
    );
  // without an address, no run begins
  return { ...given, baseUrl: baseUrl === '' ? (owner?.baseUrl ?? '') : completeAddress(baseUrl) };
}

/** A key for the address that a person named. A gateway, which no entry names, may take any key. */
function atAddress(
  { baseUrl, apiKey, model }: EndpointSettings,
  keys: readonly NamedKey[] | undefined,
): EndpointSettings {
  const vendor = findVendorAt(baseUrl);
  const key = keys === undefined ? apiKey : (keys.find(each => each.vendor === vendor)?.key ?? '');
  const owner = findKeyOwner(key);
  if (vendor !== undefined && owner !== undefined && owner !== vendor)
    throw wrongAddress(`The key is one of ${owner.name}, and base-url is ${getHost(baseUrl)}.`);
  return { baseUrl: completeAddress(baseUrl), apiKey: key, model };
}

function byKey({ apiKey, model, baseUrl }: EndpointSettings): EndpointSettings {
  const [owner, maker] = [findKeyOwner(apiKey), findModelVendor(model)];
  if (owner !== undefined && maker !== undefined && owner !== maker && owner.serves === undefined)
    throw wrongAddress(
      `The key is one of ${owner.name}, and ${model} is a model of ${maker.name}.`,
    );
  const found = owner ?? maker;
  if (found?.baseUrl !== undefined) return { baseUrl: found.baseUrl, apiKey, model };
  // nothing is asked without a key or without a model
  if (apiKey === '' || model === '') return { baseUrl, apiKey, model };
  throw wrongAddress(
    `base-url is not set, and neither the key nor the name ${JSON.stringify(model)} tells whose they are.`,
  );
}

function byVariables(
  { model, baseUrl }: EndpointSettings,
  keys: readonly NamedKey[],
): EndpointSettings {
  const at = ({ vendor, key }: NamedKey, name = model): EndpointSettings => {
    if (vendor.baseUrl === undefined)
      throw wrongAddress(
        `base-url is not set, and every customer of ${vendor.name} has another one.`,
      );
    return { baseUrl: vendor.baseUrl, apiKey: key, model: name };
  };
  const [first] = keys;
  const isAlone = new Set(keys.map(({ vendor }) => vendor)).size === 1;
  if (first === undefined) return { baseUrl, apiKey: '', model };
  if (model === '') {
    // without a model, several keys leave open which of them is meant
    const own = isAlone ? first.vendor.model : undefined;
    return own === undefined ? { baseUrl, apiKey: '', model } : at(first, own);
  }
  const maker = findModelVendor(model);
  const own = keys.find(({ vendor }) => vendor === maker);
  if (own !== undefined) return at(own);
  const serving = keys.filter(
    ({ vendor: { serves } }) =>
      (serves === 'prefixed' && model.includes('/')) || (serves === 'any' && maker === undefined),
  );
  const [only] = serving;
  if (only !== undefined && serving.length === 1) return at(only);
  if (maker === undefined && isAlone) return at(first);
  const set = keys.map(({ variable }) => variable).join(', ');
  throw wrongAddress(
    maker === undefined
      ? `base-url is not set, and nothing tells which of ${set} serves ${JSON.stringify(model)}.`
      : `${model} is a model of ${maker.name}, and of the keys there is only ${set}.`,
  );
}

function wrongAddress(message: string): PhotonError {
  return new PhotonError('KEY_ADDRESS', `${message} The key was not sent.`);
}

/** Paths of a request, which a person may have copied with the address. */
const requestPath = /\/(?:chat\/completions|completions|responses|messages)\/?$/;

/**
 * The address of an API, completed where the vendor is known: `https://api.groq.com` is `https://api.groq.com/openai/v1`. The path
 * of one request is taken away.
 */
export function completeAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(requestPath, '');
  const vendor = findVendorAt(baseUrl);
  const path = url.pathname.replace(/\/$/, '');
  const whole =
    vendor?.baseUrl === undefined ? findAzurePath(vendor, url) : new URL(vendor.baseUrl).pathname;
  if (whole !== undefined && whole !== path && beginsPath(path, whole)) url.pathname = whole;
  return url.href.replace(/\/$/, '');
}

/** True if a path is the beginning of the whole one, as far as its parts go. */
const beginsPath = (path: string, whole: string) => path === '' || whole.startsWith(`${path}/`);

/** The path of Azure's v1 API; undefined at its classic addresses, which hold the version. */
function findAzurePath(vendor: Vendor | undefined, { searchParams }: URL): string | undefined {
  return vendor?.name === 'Azure' && !searchParams.has('api-version') ? '/openai/v1' : undefined;
}
