import { expect, it } from 'vitest';
import {
  requiredPermissions,
  requirePermissions,
} from '../../../../src/hosts/github/auth/app-auth.ts';

it('an App with what a delivery needs, or more, is taken', () => {
  expect(() => requirePermissions(requiredPermissions)).not.toThrow();
  expect(() => requirePermissions({ ...requiredPermissions, contents: 'admin' })).not.toThrow();
});

it('an App that lacks something is refused, and each permission is named', () => {
  expect(() => requirePermissions({ contents: 'read', issues: 'write' })).toThrow(
    expect.objectContaining({
      code: 'GITHUB_PERMISSION',
      message: 'The GitHub App lacks contents: write, pull-requests: write.',
    }),
  );
});
