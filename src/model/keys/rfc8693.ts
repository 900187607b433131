/** The exchange of RFC 8693 with any issuer. */
import { type KeyExchangePreset, oauth } from './preset.ts';

const audienceOf: KeyExchangePreset['audience'] = ({ audience }) => audience || 'photon';

/** https://www.rfc-editor.org/rfc/rfc8693#section-2.1 */
export const rfc8693Exchange: KeyExchangePreset = {
  audience: audienceOf,
  requests: settings => [
    token => ({
      url: settings.url,
      form: {
        grant_type: oauth.tokenExchange,
        subject_token: token,
        subject_token_type: oauth.jwt,
        requested_token_type: oauth.accessToken,
        audience: audienceOf(settings),
      },
    }),
  ],
};
