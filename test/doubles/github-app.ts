/** The two operations of a GitHub App that signs itself in; the signature is checked as GitHub does. */
import { type KeyObject, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sample } from '../contract/sample.ts';
import type { Reply } from './github-routes.ts';

export interface AppDouble {
  readonly appId: string;
  readonly publicKey: KeyObject;
  /** What the installation was granted. */
  readonly permissions: Readonly<Record<string, string>>;
}

/** The installation's token; stateless tokens are longer than 40 characters. */
export const mintedToken = `ghs_${'42_'.padEnd(300, 'mintedToken')}`;

const installation = 7;

interface AppCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The answer to a request that an App makes as itself; null for every other request. */
export function answerApp(app: AppDouble | undefined, call: AppCall): Reply | null {
  const find = call.method === 'GET' && /^\/repos\/[^/]+\/[^/]+\/installation$/.test(call.path);
  const mint = call.path === `/app/installations/${installation}/access_tokens`;
  if (!find && !mint) return null;
  const refused = (status: number, message: string): Reply => ({
    status,
    body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  });
  if (app === undefined) return refused(404, 'Not Found');
  if (!signedBy(app, call.headers.authorization ?? ''))
    return refused(401, 'A JSON web token could not be decoded');
  if (find)
    return {
      status: 200,
      body: sample('installation', { id: installation, permissions: app.permissions }),
    };
  const { repositories, permissions } = call.body as {
    repositories?: string[];
    permissions?: Record<string, string>;
  };
  if (repositories?.length !== 1)
    return refused(422, 'this double makes tokens for one repository');
  return {
    status: 201,
    body: sample('installation-token', {
      token: mintedToken,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: permissions ?? app.permissions,
    }),
  };
}

/** RS256 by the App's key, its id as issuer, and no more than ten minutes to live. */
function signedBy(app: AppDouble, authorization: string): boolean {
  const [head = '', payload = '', signature = ''] = authorization
    .replace(/^bearer /i, '')
    .split('.');
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    app.publicKey,
    Buffer.from(signature, 'base64url'),
  );
  if (!signed) return false;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as {
    iss: string | number;
    exp: number;
  };
  const now = Date.now() / 1000;
  return String(claims.iss) === app.appId && claims.exp > now && claims.exp - now <= 600;
}
