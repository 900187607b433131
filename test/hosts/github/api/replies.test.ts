/** GitHub is spoken to through the typed endpoints of `@octokit/rest`: no path is made by hand where a method exists. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { expect, it } from 'vitest';
import { replies } from '../../../../src/hosts/github/api/replies.ts';
import { root } from '../../../root.ts';

interface Endpoint {
  readonly endpoint: {
    readonly DEFAULTS: { readonly method: string; readonly url: string };
  };
}

/** Every route for which `@octokit/rest` has a method. */
function listRoutes(): ReadonlySet<string> {
  const scopes: readonly object[] = Object.values(new Octokit().rest);
  const methods = scopes.flatMap((scope): Endpoint[] => Object.values(scope));
  return new Set(methods.map(({ endpoint: { DEFAULTS } }) => `${DEFAULTS.method} ${DEFAULTS.url}`));
}

it('each route whose reply is read has a method', () => {
  const routes = listRoutes();
  expect(routes.size).toBeGreaterThan(500);
  // GraphQL has no routes
  expect(Object.keys(replies).filter(route => !routes.has(route))).toEqual(['POST /graphql']);
});

it('no source makes a request by a path, and only what has a signed address is fetched', () => {
  const files = globSync('src/hosts/**/*.ts', { cwd: root }).sort();
  const naming = (pattern: RegExp) =>
    files.filter(path => pattern.test(readFileSync(join(root, path), 'utf8')));
  expect(naming(/\brequest(<[^>]*>)?\(\s*['"`]/)).toEqual([]);
  expect(naming(/\bfetch\((?!\))/)).toEqual([
    'src/hosts/github/api/run-artifacts.ts',
    'src/hosts/github/conversation/attachments.ts',
  ]);
});
