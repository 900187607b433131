/** Token endpoints of model vendors, as strict as their documentation: a field too few or too many is refused. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from './serve.ts';

export const idToken = 'header.claims-of-the-job.signature';

/** What a vendor documents: the type of the body, its fields, and what else the request must say. */
interface DocumentedRequest {
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  readonly fields: Readonly<Record<string, string | RegExp>>;
  readonly optional?: Readonly<Record<string, string | RegExp>>;
  readonly headers?: Readonly<Record<string, RegExp>>;
}

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const jwtType = 'urn:ietf:params:oauth:token-type:jwt';
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

export const documented = {
  // https://www.rfc-editor.org/rfc/rfc8693#section-2.1
  rfc8693: {
    type: form,
    fields: { grant_type: exchangeGrant, subject_token: idToken, subject_token_type: jwtType },
    optional: {
      audience: /./,
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    },
  },
  // https://developers.openai.com/api/reference/workload-identity-federation
  openai: {
    type: json,
    fields: {
      grant_type: exchangeGrant,
      subject_token_type: jwtType,
      subject_token: idToken,
      identity_provider_id: /^idp_/,
      service_account_id: /^user-/,
    },
  },
  // https://platform.claude.com/docs/manage-claude/wif-reference; the header: anthropics/anthropic-sdk-typescript,
  // src/lib/credentials/types.ts ("required on jwt-bearer exchanges against the token endpoint")
  anthropic: {
    type: json,
    fields: {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: idToken,
      federation_rule_id: /^fdrl_/,
      organization_id: /^[\da-f-]{36}$/,
      service_account_id: /^svac_/,
    },
    optional: { workspace_id: /^(wrkspc_|default$)/ },
    headers: { 'anthropic-beta': /oidc-federation-2026-04-01/ },
  },
  // https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token ("do not send the Authorization header")
  google: {
    type: json,
    fields: {
      grantType: exchangeGrant,
      audience:
        /^\/\/iam\.googleapis\.com\/projects\/\d+\/locations\/global\/workloadIdentityPools\/[\w-]+\/providers\/[\w-]+$/,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      requestedTokenType: 'urn:ietf:params:oauth:token-type:access_token',
      subjectToken: idToken,
      subjectTokenType: jwtType,
    },
  },
  // https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow, the third case
  azure: {
    type: form,
    fields: {
      client_id: /^[\da-f-]{36}$/,
      scope: /\/\.default$/,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: idToken,
      grant_type: 'client_credentials',
    },
  },
  // https://openrouter.ai/docs/client-sdks/typescript/models/tokenexchangerequest
  openrouter: {
    type: form,
    fields: {
      federation_policy_id: /^[\da-f-]{36}$/,
      grant_type: exchangeGrant,
      subject_token: idToken,
      subject_token_type: jwtType,
    },
  },
} as const satisfies Readonly<Record<string, DocumentedRequest>>;

export type KeyExchangeName = keyof typeof documented;

export interface TokenEndpointDouble {
  readonly url: string;
  /** Audiences that an id token was requested for. */
  readonly audiences: string[];
  /** What was wrong with the requests. */
  readonly violations: string[];
  close(): Promise<void>;
}

export interface TokenAnswer {
  readonly status?: number;
  readonly body: unknown;
}

/** Starts an issuer of id tokens (`/id`) and the endpoint of one vendor (`/token`); `answer` gives its replies. */
export async function startTokenEndpoint(
  name: KeyExchangeName,
  answer: (index: number) => TokenAnswer,
): Promise<TokenEndpointDouble> {
  const audiences: string[] = [];
  const violations: string[] = [];
  let count = 0;
  const { url, close } = await serve(async (request, response) => {
    const asked = new URL(request.url ?? '', 'http://issuer.test');
    const reply = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const body = await text(request);
    if (asked.pathname === '/id') {
      audiences.push(asked.searchParams.get('audience') ?? '');
      return reply(200, { value: idToken });
    }
    const problems = findProblems(documented[name], request, body);
    violations.push(...problems);
    const { status = 200, body: sent } =
      problems.length > 0 ? { status: 400, body: { error: 'invalid_request' } } : answer(count++);
    return reply(status, sent);
  });
  return { url, audiences, violations, close };
}

function findProblems(
  { type, fields, optional = {}, headers = {} }: DocumentedRequest,
  request: IncomingMessage,
  sent: string,
): string[] {
  if (!request.headers['content-type']?.startsWith(type)) return [`the body is not ${type}`];
  const body: Record<string, unknown> =
    type === json ? JSON.parse(sent) : Object.fromEntries(new URLSearchParams(sent));
  const known = { ...fields, ...optional };
  const fits = (wanted: string | RegExp | undefined, value: unknown) =>
    typeof value === 'string' && (wanted instanceof RegExp ? wanted.test(value) : wanted === value);
  return [
    ...(request.method === 'POST' ? [] : [`${request.method}`]),
    ...(request.headers.authorization === undefined ? [] : ['an Authorization header']),
    ...Object.keys(fields).flatMap(name => (name in body ? [] : [`${name} is missing`])),
    ...Object.entries(body).flatMap(([name, value]) =>
      fits(known[name], value) ? [] : [`${name}: ${String(value)}`],
    ),
    ...Object.entries(headers).flatMap(([name, wanted]) =>
      fits(wanted, request.headers[name]) ? [] : [`the header ${name}`],
    ),
  ];
}
