/** Serves a double of GitHub's API on 127.0.0.1: one repository with a first commit, and the owner of one token. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { answerCall, bot, type Call, error, type Reply, type State } from './api.ts';
import { makeObjectStore } from './object-store.ts';
import { routes } from './routes.ts';

export interface ServedGitHub {
  readonly url: string;
  readonly token: string;
  readonly state: State;
  /** Ends the server; an open request is cut. */
  close(): Promise<void>;
}

export interface GitHubSeed {
  /** The folder for the bare repository, which is made. */
  readonly gitDir: string;
  /** Files of the first commit of `main`, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The PATH on which git is found. */
  readonly path: string;
  readonly now: () => number;
}

const token = 'ghs_demonstrationDemonstrationDemonstration';

/** Starts the double on a free port. */
export async function serveGitHub({ gitDir, files, path, now }: GitHubSeed): Promise<ServedGitHub> {
  const store = makeObjectStore(gitDir, path);
  const changes = Object.entries(files).map(([name, text]) => {
    return { path: name, mode: '100644', sha: store.blob(text) };
  });
  const tree = store.tree(undefined, changes);
  const first = { tree, parents: [], message: 'First', at: new Date(now()) };
  store.setRef('refs/heads/main', store.writeCommit(first));
  const state: State = {
    store,
    repository: 'octo/sample',
    pulls: new Map(),
    issues: new Map(),
    actor: bot,
    signs: true,
    url: '',
    now,
    fill: (_schema, fields) => fields,
  };
  const server = createServer((request, response) => {
    void answer(request, state)
      .catch(problem => error(500, String(problem)))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
        response.end(body === undefined ? '' : JSON.stringify(body));
      });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: state.url,
    token,
    state,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

async function answer(request: IncomingMessage, state: State): Promise<Reply> {
  const { method = 'GET', headers } = request;
  const isOwner = [`token ${token}`, `bearer ${token}`].includes(headers.authorization ?? '');
  if (!isOwner) return error(401, 'Bad credentials', { status: '401' });
  const { pathname, searchParams } = new URL(request.url ?? '/', state.url);
  const sent = await readText(request);
  const body: unknown = sent === '' ? undefined : JSON.parse(sent);
  if (pathname === '/graphql') return { status: 200, body: answerGraphql(body, state) };
  const path = decodeURIComponent(pathname);
  const call: Call = { method, path, query: searchParams, body, accept: headers.accept ?? '' };
  return answerCall(call, routes, state);
}

/** The one mutation that a first delivery needs. */
function answerGraphql(body: unknown, state: State): object {
  const { query, variables } = body as {
    query: string;
    variables?: { input: { refUpdates: readonly { name: string; afterOid: string }[] } };
  };
  if (variables === undefined || !query.includes('updateRefs('))
    return { errors: [{ message: 'The demonstration knows no other operation than updateRefs.' }] };
  for (const { name, afterOid } of variables.input.refUpdates) state.store.setRef(name, afterOid);
  return { data: { updateRefs: { clientMutationId: null } } };
}
