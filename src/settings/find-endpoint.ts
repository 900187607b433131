/** Finds the endpoint that is meant: whose address a key may go to, and that address as a whole. Pure. */
import { PhotonError } from '../base/codes.ts';
import { findVendor, getHost, type Vendor, vendors } from './vendors.ts';

/** The keys of a terminal as the text of the input `api-key`: `PHOTON_API_KEY`, or a line for each vendor's variable. */
export function readTerminalKeys(env: Readonly<Record<string, string | undefined>>): string {
  if (env.PHOTON_API_KEY) return env.PHOTON_API_KEY;
  const named = vendors.flatMap(({ keyNames = [] }) =>
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
    const vendor = vendors.find(({ keyNames }) => keyNames?.includes(variable));
    return vendor === undefined ? [] : [{ vendor, variable, key: key.trim() }];
  });
  return found.length === 0 ? undefined : found;
}

const findKeyOwner = (key: string) => vendors.find(({ keyForm }) => keyForm?.test(key));

const findModelVendor = (model: string) => vendors.find(({ models }) => models?.test(model));

/** What a person set of an endpoint; empty texts for what is not set. */
export interface EndpointSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/**
 * The endpoint that is meant, with a complete address. A key goes to the address that a person named, or to the vendor that
 * the key itself, its variable or the name of the model tells; never to the address of another vendor. A model that only the
 * repository names leads no key.
 * @throws PhotonError `KEY_ADDRESS` where that would happen, or where nothing tells whose the key is, and `SETTING_INVALID` for a
 * key of a wrong form.
 */
export function findEndpoint(given: IssuedEndpoint): EndpointSettings {
  const endpoint = chooseEndpoint(given);
  requireKeyForm(endpoint.apiKey);
  return endpoint;
}

type IssuedEndpoint = EndpointSettings & {
  readonly issuer?: string | undefined;
  /** True if no person named the model: the configuration of the repository alone did. */
  readonly isModelOfRepository?: boolean;
};

/** @throws PhotonError `SETTING_INVALID` for a key that no header takes, or that holds more than the key. Its text is not shown. */
function requireKeyForm(key: string): void {
  const refuse = (why: string) =>
    new PhotonError('SETTING_INVALID', `The key of the model ${why}.`);
  const [scheme] = /^(?:bearer|basic)\s|^(?:authorization|x-api-key):|^["']/i.exec(key) ?? [];
  if (scheme !== undefined)
    throw refuse(
      `begins with ${scheme.trim()}. Store the key alone, without a header and without quotes`,
    );
  const at = key.search(/[^\x21-\x7e]/);
  const code = key.codePointAt(at)?.toString(16).toUpperCase().padStart(4, '0');
  if (at >= 0)
    throw refuse(
      `holds a character that no key has: U+${code}, the ${at + 1}. of ${key.length}. Copy the key again`,
    );
}

function chooseEndpoint({
  issuer,
  isModelOfRepository = false,
  ...given
}: IssuedEndpoint): EndpointSettings {
  const { baseUrl, apiKey, model } = given;
  const keys = namedKeys(apiKey);
  if (model === 'builtin') return { baseUrl, model, apiKey: keys === undefined ? apiKey : '' };
  if (issuer !== undefined && apiKey === '') return atIssuer(given, issuer);
  if (baseUrl !== '') return atAddress(given, keys);
  if (keys !== undefined) return byVariables(given, keys);
  if (isModelOfRepository && apiKey !== '' && findKeyOwner(apiKey) === undefined)
    throw wrongAddress(
      `base-url is not set, the key does not tell whose it is, and only the configuration of the repository names the model ${JSON.stringify(model)}. Name the model or base-url where you start Photon.`,
    );
  return byKey(given);
}

/** An exchanged key goes to the vendor that gives it; the keys of other issuers go to the address that a person named. */
function atIssuer({ baseUrl, apiKey, model }: EndpointSettings, issuer: string): EndpointSettings {
  const owner = vendors.find(({ exchange }) => exchange?.name === issuer);
  requireOwn(baseUrl, owner, `key-exchange gets a key of ${owner?.name}`);
  // without an address, no run begins
  const address = baseUrl === '' ? (owner?.baseUrl ?? '') : completeAddress(baseUrl);
  return { baseUrl: address, apiKey, model };
}

/** A key for the address that a person named. A gateway, which no row names, may take any key. */
function atAddress(
  { baseUrl, apiKey, model }: EndpointSettings,
  keys: readonly NamedKey[] | undefined,
): EndpointSettings {
  const name = findVendor(baseUrl)?.name;
  const key =
    keys === undefined ? apiKey : (keys.find(({ vendor }) => vendor.name === name)?.key ?? '');
  const owner = findKeyOwner(key);
  requireOwn(baseUrl, owner, `The key is one of ${owner?.name}`);
  return { baseUrl: completeAddress(baseUrl), apiKey: key, model };
}

/** @throws PhotonError `KEY_ADDRESS` for a key of one vendor at the address of another. */
function requireOwn(baseUrl: string, owner: Vendor | undefined, subject: string): void {
  const vendor = findVendor(baseUrl);
  if (vendor !== undefined && owner !== undefined && vendor.name !== owner.name)
    throw wrongAddress(`${subject}, and base-url is ${getHost(baseUrl)}.`);
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
  const found = chooseKey(keys, model);
  const name = model || found?.vendor.model;
  if (found === undefined || name === undefined) return { baseUrl, apiKey: '', model };
  const { vendor, key } = found;
  if (vendor.baseUrl !== undefined) return { baseUrl: vendor.baseUrl, apiKey: key, model: name };
  throw wrongAddress(`base-url is not set, and every customer of ${vendor.name} has another one.`);
}

/** The key of the vendor that makes the model, else of the one that serves it; undefined where no model is named and several keys are. */
function chooseKey(keys: readonly NamedKey[], model: string): NamedKey | undefined {
  const alone = new Set(keys.map(({ vendor }) => vendor)).size === 1 ? keys[0] : undefined;
  if (model === '') return alone;
  const maker = findModelVendor(model);
  const serving = keys.filter(
    ({ vendor: { serves } }) =>
      (serves === 'prefixed' && model.includes('/')) || (serves === 'any' && maker === undefined),
  );
  const found =
    keys.find(({ vendor }) => vendor === maker) ??
    (serving.length === 1 ? serving[0] : undefined) ??
    (maker === undefined ? alone : undefined);
  if (found !== undefined) return found;
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
 * of one request is taken away. The classic addresses of Azure, which hold the version of the API, are complete.
 */
export function completeAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(requestPath, '');
  const { baseUrl: own, path: whole = own && new URL(own).pathname } = findVendor(baseUrl) ?? {};
  const path = url.pathname.replace(/\/$/, '');
  if (whole?.startsWith(path && `${path}/`) && !url.searchParams.has('api-version'))
    url.pathname = whole;
  return url.href.replace(/\/$/, '');
}
