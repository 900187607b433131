/** Settings of a key exchange: whose token endpoint it is, and the ids that it needs. */
import { PhotonError } from '../base/codes.ts';
import { splitNames } from './setting.ts';

/** The exchanges that are known, and the names of their ids: as the vendor documents them, `?` for optional ones. */
export const keyExchangeIds = {
  rfc8693: [],
  openai: ['identity_provider_id', 'service_account_id'],
  anthropic: ['federation_rule_id', 'organization_id', 'service_account_id', 'workspace_id?'],
  google: ['provider', 'service_account?'],
  azure: ['tenant_id', 'client_id', 'scope?'],
  openrouter: ['federation_policy_id'],
} as const;

export type KeyExchangeName = keyof typeof keyExchangeIds;

export const keyExchangeNames = Object.keys(keyExchangeIds) as readonly KeyExchangeName[];

/** A key exchange that is set, complete. */
export interface KeyExchangeSettings {
  readonly name: KeyExchangeName;
  /** Token endpoint; empty for the vendor's own. */
  readonly url: string;
  /** Audience of the id token; empty for the one that the vendor documents. */
  readonly audience: string;
  readonly ids: Readonly<Record<string, string>>;
}

interface KeyExchangeValues {
  readonly keyExchange: KeyExchangeName | undefined;
  readonly keyExchangeUrl: string;
  readonly keyExchangeAudience: string;
  readonly keyExchangeIds: Readonly<Record<string, string>> | undefined;
}

/** Reads `name=value` pairs, separated by commas or line breaks. A part without `=` keeps an empty value. */
export function parseIds(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    splitNames(text.replaceAll('\n', ',')).map(pair => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), value.join('=').trim()];
    }),
  );
}

/**
 * The exchange from its settings; undefined if none is set. An address alone means RFC 8693.
 * @throws PhotonError `SETTING_INVALID` for a missing or unknown id.
 */
export function readKeyExchange(values: KeyExchangeValues): KeyExchangeSettings | undefined {
  const { keyExchange, keyExchangeUrl: url, keyExchangeAudience: audience } = values;
  if (keyExchange === undefined && url === '') return undefined;
  const name = keyExchange ?? 'rfc8693';
  if (name === 'rfc8693' && url === '') throw invalidExchange('rfc8693 needs key-exchange-url.');
  const ids = values.keyExchangeIds ?? {};
  const known: readonly string[] = keyExchangeIds[name];
  const missing = known.filter(id => !id.endsWith('?') && !ids[id]);
  if (missing.length > 0)
    throw invalidExchange(`${name} needs ${missing.join(', ')} in key-exchange-ids.`);
  const names = known.map(id => id.replace('?', ''));
  const wrong = Object.keys(ids).find(id => !names.includes(id) || ids[id] === '');
  if (wrong !== undefined)
    throw invalidExchange(
      `key-exchange-ids: "${wrong.slice(0, 80)}" is not an id of ${name} with a value. It takes ${names.join(', ') || 'none'}.`,
    );
  return { name, url, audience, ids };
}

function invalidExchange(message: string): PhotonError {
  return new PhotonError('SETTING_INVALID', `key-exchange: ${message}`);
}
