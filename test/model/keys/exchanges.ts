/** Key exchanges with doubles of the vendors' endpoints. */
import { exchangeKey } from '../../../src/model/keys/key-source.ts';
import { parseSettings } from '../../../src/settings/settings.ts';
import {
  type KeyExchangeName,
  startTokenEndpoint,
  type TokenAnswer,
} from '../../doubles/token-endpoint.ts';

export const uuid = '4b2f7d1e-8c3a-4e5f-9a6b-1c2d3e4f5a6b';

const provider = 'projects/123/locations/global/workloadIdentityPools/ci/providers/github';

/** Ids of each exchange, and the audience of the id token that its vendor documents. */
export const given: Readonly<Record<KeyExchangeName, readonly [ids: string, audience: string]>> = {
  rfc8693: ['', 'photon'],
  openai: ['identity_provider_id=idp_1, service_account_id=user-1', 'https://api.openai.com/v1'],
  anthropic: [
    `federation_rule_id=fdrl_1\norganization_id=${uuid}\nservice_account_id=svac_1\n`,
    'https://api.anthropic.com',
  ],
  google: [`provider=${provider}`, `https://iam.googleapis.com/${provider}`],
  azure: [`tenant_id=${uuid}, client_id=${uuid}`, 'api://AzureADTokenExchange'],
  openrouter: [`federation_policy_id=${uuid}`, 'https://openrouter.ai'],
};

export const settingsOf = (name: KeyExchangeName, more = '') => {
  const ids = `${given[name][0]}\n${more}`;
  const settings = parseSettings({ 'key-exchange': name, 'key-exchange-ids': ids }, {});
  if (settings.keyExchange === undefined) throw new Error('no exchange');
  return settings.keyExchange;
};

const granted: TokenAnswer = { body: { access_token: 'key-of-the-vendor', expires_in: 900 } };

/** One exchange with a double of the vendor's endpoint. */
export async function exchange(name: KeyExchangeName, answer = granted) {
  const endpoint = await startTokenEndpoint(name, () => answer);
  try {
    const issued = await exchangeKey({
      idTokenUrl: `${endpoint.url}/id?api-version=2`,
      idTokenBearer: 'bearer-of-the-job',
      settings: settingsOf(name, `url=${endpoint.url}/token`),
      signal: new AbortController().signal,
      now: () => 1_000_000,
    });
    return { issued, endpoint };
  } finally {
    await endpoint.close();
  }
}
