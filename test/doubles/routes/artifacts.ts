/** Artifacts of workflow runs, and attestations of what they made: their list, the redirect to storage, and storage, which is another host. */
import type { IncomingHttpHeaders } from 'node:http';
import { sample } from '../../contract/sample.ts';
import { error, numberOf, type Route, route, type State } from '../github-routes.ts';

const mayRead = 'sig=signed';

export const artifactRoutes: readonly Route[] = [
  route('GET', '/actions/runs/(?<run>\\d+)/artifacts', ({ params, query }, state) => {
    const own = state.surface.artifacts.filter(a => a.run === numberOf(params.run));
    const size = Number(query.get('per_page') ?? 30);
    const from = (Number(query.get('page') ?? 1) - 1) * size;
    const artifacts = own
      .slice(from, from + size)
      .map(({ id, name, zip, expired = false }) =>
        sample('artifact', { id, name, expired, size_in_bytes: zip.length }),
      );
    return { status: 200, body: { total_count: own.length, artifacts } };
  }),
  {
    method: 'GET',
    pattern: /^\/orgs\/(?<org>[^/]+)\/repos$/,
    answer: ({ params }, { surface }) => {
      if (params.org !== 'octo') return error(404, 'Not Found');
      const body = [...surface.organisation].map(([name, archived]) =>
        sample('minimal-repository', { full_name: name, archived }),
      );
      return { status: 200, body };
    },
  },
  route('GET', '/actions/workflows', () => {
    const workflows = ['ci', 'photon'].map((name, i) =>
      sample('workflow', { id: i + 1, name, path: `.github/workflows/${name}.yml` }),
    );
    return { status: 200, body: { total_count: workflows.length, workflows } };
  }),
  route('GET', '/actions/workflows/(?<id>\\d+)/runs', ({ params, query }, state) => {
    const since = (query.get('created') ?? '').replace('>=', '');
    const own = state.surface.workflowRuns.filter(
      run => params.id === '2' && run.repository === state.repository && run.createdAt >= since,
    );
    const runs = own.map(({ id, createdAt, conclusion }) =>
      sample('workflow-run', {
        id,
        conclusion,
        created_at: createdAt,
        html_url: `https://github.example/${state.repository}/actions/runs/${id}`,
      }),
    );
    return { status: 200, body: { total_count: own.length, workflow_runs: runs } };
  }),
  route('GET', '/actions/artifacts/(?<id>\\d+)/zip', ({ params }, state) => {
    const found = state.surface.artifacts.find(a => a.id === numberOf(params.id));
    if (found === undefined) return error(404, 'Not Found');
    if (found.expired || found.expiresSoon) return error(410, 'Artifact has expired');
    const location = `${storageOf(state)}/_storage/${found.id}?${mayRead}`;
    return { status: 302, headers: { location } };
  }),
  route('GET', '/attestations/sha256:(?<digest>[0-9a-f]{64})', ({ params }, state) => {
    const bundles = state.surface.attestations.get(params.digest ?? '') ?? [];
    const attestations = bundles.map((bundle, i) =>
      bundle instanceof Buffer
        ? {
            bundle_url: `${storageOf(state)}/_storage/${params.digest}-${i}?${mayRead}`,
          }
        : { bundle },
    );
    return { status: 200, body: { attestations } };
  }),
];

/** Storage is another host, so that a token that is sent there shows. */
const storageOf = (state: State) => state.url.replace('127.0.0.1', 'localhost');

/** The answer of storage; undefined for other addresses. Like the real one, it refuses a request that brings a token. */
export function answerStorage(state: State, url: URL, headers: IncomingHttpHeaders) {
  const [, id, digest, place] = /^\/_storage\/(?:(\d+)|(\w+)-(\d+))$/.exec(url.pathname) ?? [];
  if (id === undefined && digest === undefined) return null;
  const refused = headers.authorization !== undefined || url.search !== `?${mayRead}`;
  const bundle = state.surface.attestations.get(digest ?? '')?.[numberOf(place)];
  if (bundle instanceof Buffer && !refused)
    return { status: 200, headers: { 'content-type': 'application/x-snappy' }, bytes: bundle };
  const found = state.surface.artifacts.find(a => a.id === numberOf(id));
  if (found === undefined || refused)
    return {
      status: 403,
      headers: { 'content-type': 'application/xml' },
      bytes: Buffer.from('<Error><Code>AuthenticationFailed</Code></Error>'),
    };
  return { status: 200, headers: { 'content-type': 'application/zip' }, bytes: found.zip };
}
