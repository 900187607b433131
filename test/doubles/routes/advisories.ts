/** GitHub's advisory database as a double: which versions are affected is told by ranges, which npm's rules compare. */
import satisfies from 'semver/functions/satisfies.js';
import { sample } from '../../contract/sample.ts';
import type { Route } from '../github-routes.ts';

export interface AdvisoryState {
  readonly id: string;
  readonly severity?: string;
  readonly type?: 'reviewed' | 'malware';
  /** True: the reply does not say which packages it is about. */
  readonly isUnnamed?: boolean;
  readonly affects: readonly {
    readonly ecosystem: string;
    readonly name: string;
    readonly range: string;
    readonly fixed: string | null;
  }[];
}

export const advisoryRoutes: readonly Route[] = [
  {
    method: 'GET',
    pattern: /^\/advisories$/,
    answer: ({ query }, { surface }) => {
      const asked = (query.get('affects') ?? '').split(',').map(each => {
        const at = each.lastIndexOf('@');
        return { name: each.slice(0, at), version: each.slice(at + 1) };
      });
      const found = surface.advisories.filter(
        ({ affects, type = 'reviewed' }) =>
          type === (query.get('type') ?? 'reviewed') &&
          affects.some(
            ({ ecosystem, name, range }) =>
              ecosystem === query.get('ecosystem') &&
              asked.some(a => a.name === name && satisfies(a.version, range)),
          ),
      );
      const body = found.map(({ id, severity = 'high', type = 'reviewed', affects, isUnnamed }) =>
        sample('global-advisory', {
          ghsa_id: id,
          severity,
          type,
          vulnerabilities: (isUnnamed ? [] : affects).map(({ ecosystem, name, range, fixed }) => ({
            package: { ecosystem, name },
            vulnerable_version_range: range,
            first_patched_version: fixed,
            vulnerable_functions: null,
          })),
        }),
      );
      return { status: 200, body };
    },
  },
];
