/** Reads that lag behind writes, as GitHub's do: what was just written is not there yet. */
import { describe, expect, it } from 'vitest';
import type { Fault, GitHubDouble } from '../../doubles/github.ts';
import { arrange, expectNoHalf, expectWhole } from './arrange-publication.ts';
import { carryOut } from './publication.ts';

const notFound = { status: 404, body: { message: 'Not Found', status: '404' } };
const headInvalid = {
  status: 422,
  body: {
    message: 'Validation Failed',
    errors: [{ resource: 'PullRequest', field: 'head', code: 'invalid' }],
  },
};

/** Once the branch is there, this many requests of one kind are answered as if it were not. */
function lag(github: GitHubDouble, asked: RegExp, fault: Fault): void {
  const branch = 'refs/heads/photon/task-1';
  github.fail(
    (method, path) => asked.test(`${method} ${path}`) && branch in github.store.refs(),
    fault,
  );
}

describe('a publication whose reads lag', () => {
  it.each([
    ['its branch', /^GET .*\/git\/ref\/heads\/photon\/task-1$/, notFound, 4],
    ['the branch of the pull request', /^POST .*\/pulls$/, headInvalid, 3],
  ])('is whole though %s is not seen (%s, %o, %i times)', async (_what, asked, fault, times) => {
    const arranged = await arrange('pull-request', 'none');
    lag(arranged.github, asked, { ...fault, times });
    const done = await carryOut({ ...arranged.publication, run: 'next' });
    expect(done).toMatchObject({ delivered: { operation: 'created' } });
    expectWhole(arranged);
    await arranged.github.close();
  });

  it('makes one pull request, though its reply is lost and the list is behind', async () => {
    const arranged = await arrange('pull-request', 'none');
    const { github } = arranged;
    github.fail((m, p) => m === 'POST' && p.endsWith('/pulls'), { drop: true, afterWrite: true });
    const made = () => github.state.pulls.size > 0;
    const fault = { status: 200, body: [], times: 2 };
    github.fail((m, p) => m === 'GET' && p.endsWith('/pulls') && made(), fault);
    await carryOut({ ...arranged.publication, run: 'next' });
    expect(github.state.pulls.size).toBe(1);
    expectWhole(arranged);
    await github.close();
  });

  it('ends clean when its branch is never seen', async () => {
    const arranged = await arrange('pull-request', 'none');
    const before = Object.values(arranged.github.store.refs());
    lag(arranged.github, /^GET .*\/git\/ref\/heads\/photon\/task-1$/, { ...notFound, times: 1000 });
    const ended = carryOut({ ...arranged.publication, run: 'next' });
    await expect(ended).rejects.toMatchObject({ code: 'PUBLISH_MISMATCH' });
    expectNoHalf(arranged, before);
    await arranged.github.close();
  });
});
