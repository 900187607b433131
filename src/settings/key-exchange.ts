/** Settings of a key exchange: whose token endpoint it is, and the ids that it needs. */
import { PhotonError } from '../base/codes.ts';
import { address, splitNames } from './setting.ts';
import { exchanges, findExchange } from './vendors.ts';

export const keyExchangeNames: readonly string[] = exchanges.map(({ name }) => name);

/** A key exchange that is set, complete. */
export interface KeyExchangeSettings {
  readonly name: string;
  /** Token endpoint; empty for the vendor's own. */
  readonly url: string;
  /** Audience of the id token; empty for the one that the vendor documents. */
  readonly audience: string;
  readonly ids: Readonly<Record<string, string>>;
}

interface KeyExchangeValues {
  readonly keyExchange: string | undefined;
  /** The ids, and what every exchange takes: `url` and `audience`. */
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
 * @throws PhotonError `SETTING_INVALID` for a missing or unknown id, and for an invalid address.
 */
export function readKeyExchange(values: KeyExchangeValues): KeyExchangeSettings | undefined {
  const { url = '', audience = '', ...ids } = values.keyExchangeIds ?? {};
  if (values.keyExchange === undefined && url === '') return undefined;
  const { name, ids: known } = findExchange(values.keyExchange);
  if (name === 'rfc8693' && url === '')
    throw invalidExchange('rfc8693 needs url in key-exchange-ids.');
  if (url !== '') address().parse(url, 'key-exchange-ids: url');
  const missing = known.filter(id => !id.endsWith('?') && !ids[id]);
  if (missing.length > 0)
    throw invalidExchange(`${name} needs ${missing.join(', ')} in key-exchange-ids.`);
  const names = known.map(id => id.replace('?', ''));
  const wrong = Object.keys(ids).find(id => !names.includes(id) || ids[id] === '');
  if (wrong !== undefined)
    throw invalidExchange(
      `key-exchange-ids: "${wrong.slice(0, 80)}" is not an id of ${name} with a value. It takes ${[...names, 'url', 'audience'].join(', ')}.`,
    );
  return { name, url, audience, ids };
}

function invalidExchange(message: string): PhotonError {
  return new PhotonError('SETTING_INVALID', `key-exchange: ${message}`);
}
