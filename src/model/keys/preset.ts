/** What a preset of a key exchange states: the audience of the id token, and the requests that turn it into a key. */
import type { KeyExchangeSettings } from '../../settings/key-exchange.ts';

/** A request to a token endpoint, as data. */
export interface TokenRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as a form. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly form?: Readonly<Record<string, string>>;
}

/** One way to exchange the id token of the job for a key. Pure. */
export interface KeyExchangePreset {
  /** The `aud` claim of the id token. */
  audience(settings: KeyExchangeSettings): string;
  /** The requests in order: the first sends the id token, each other one the token that the one before got. */
  requests(settings: KeyExchangeSettings): readonly ((token: string) => TokenRequest)[];
}

/** Values of OAuth 2.0 that several vendors use (RFC 8693, section 2.1 and 3). */
export const oauth = {
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
} as const;
