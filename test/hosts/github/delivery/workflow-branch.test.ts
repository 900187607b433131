import { describe, expect, it } from 'vitest';
import type { Arranged } from '../arrange-publication.ts';
import { carryOut } from '../publication.ts';
import { codeOf, github, start, useServer } from '../restricted-server.ts';

useServer();

describe('a workflow file', () => {
  const path = '.github/workflows/ci.yml';
  const words = `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`;
  const notAccessible = 'Resource not accessible by integration';

  /** A patch that adds one. */
  function ofWorkflow({ publication }: Arranged): Arranged['publication'] {
    return { ...publication, workflowFile: path };
  }

  it.each([
    [403, notAccessible, 'GITHUB_AUTH'],
    [404, 'Not Found', 'GITHUB_REQUEST'],
  ])(
    'that the token may not change ends with a code of its own (%i %s)',
    async (status, message, code) => {
      const arranged = await start({}, 'none');
      github.fail((m, p) => m === 'POST' && p.endsWith('/git/trees'), {
        status,
        body: { message },
      });
      expect(await codeOf(carryOut(ofWorkflow(arranged)))).toBe('WORKFLOWS_FORBIDDEN');
      // the same refusal of another patch is of something else
      github.fail((m, p) => m === 'POST' && p.endsWith('/git/trees'), {
        status,
        body: { message },
      });
      expect(await codeOf(carryOut(arranged.publication))).toBe(code);
      expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
    },
  );

  it('that is refused with the branch ends so, too', async () => {
    const arranged = await start({}, 'none');
    const body = { data: null, errors: [{ message: words }] };
    github.fail((_m, p) => p === '/graphql', { status: 200, body, times: 50 });
    expect(await codeOf(carryOut(arranged.publication))).toBe('WORKFLOWS_FORBIDDEN');
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
  });
});
