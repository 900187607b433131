/** `photon accept`: tries on a real repository, and at real model endpoints, what a run needs of them. */
import { randomBytes } from 'node:crypto';
import { PhotonError } from '../../base/codes.ts';
import { joinDefined, plural } from '../../base/plural.ts';
import {
  type AcceptanceCheck,
  acceptRepository,
} from '../../hosts/github/maintenance/acceptance.ts';
import { examinationTokens } from '../../model/examine-model.ts';
import { providerName } from '../../model/providers.ts';
import { findPrice } from '../../settings/models.ts';
import { findEndpoint, findKeyedVendors } from '../../settings/vendors.ts';
import { type Arguments, command, flag, printJson, value } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { openRepository } from '../terminal-github.ts';
import { type Endpoint, examineWithin } from './doctor.ts';

const options = {
  on: value('<owner/name>', 'A repository of yours on GitHub (GITHUB_TOKEN); all is taken back'),
  model: value('<names>', 'Models to use, such as openai=gpt-5,anthropic=claude-sonnet-4-5'),
  yes: flag('Do not ask before it begins'),
  json: flag('Print the checks as JSON'),
};

export const accept = command({
  about: 'Check once on a scratch repository and your model vendors that runs work.',
  options,
  usage: [['[flags]', '', tryAll]],
  examples: [
    'GITHUB_TOKEN=… photon accept --on octo/scratch --yes',
    'OPENAI_API_KEY=… photon accept',
  ],
});

async function tryAll({ values }: Arguments<typeof options>, terminal: Terminal): Promise<number> {
  const remote = values.on === undefined ? undefined : await openRepository(values.on, terminal);
  const endpoints = findEndpoints(terminal, values.model);
  if (remote === undefined && endpoints.length === 0)
    throw new PhotonError('USAGE', 'There is nothing to try.', {
      hint: 'Name a scratch repository of yours with --on OWNER/NAME, or set the key of a model vendor, such as OPENAI_API_KEY.',
    });
  terminal.tell(announce(remote?.repository, endpoints));
  if (!values.yes && !(await agrees(terminal)))
    throw new PhotonError('USAGE', 'Nothing was done.', { hint: 'Add --yes to go on.' });
  const checks: AcceptanceCheck[] = [];
  const onCheck = (check: AcceptanceCheck) => {
    checks.push(check);
    if (!values.json) terminal.print(renderCheck(check));
  };
  if (remote !== undefined) {
    const { github } = remote;
    const id = randomBytes(4).toString('hex');
    await acceptRepository(github, { id, now: terminal.now, onCheck });
  }
  for (const endpoint of endpoints)
    for (const check of await tryEndpoint(endpoint, terminal)) onCheck(check);
  const broken = checks.filter(check => check.holds !== true).length;
  if (values.json) printJson(terminal, checks);
  else
    terminal.print(
      broken === 0
        ? `Everything held: ${plural(checks.length, 'check')}.\n`
        : `${plural(broken, 'check')} of ${checks.length} did not hold.\n`,
    );
  return broken === 0 ? 0 : 1;
}

/** The endpoint of `PHOTON_BASE_URL`, and each vendor whose key is set. @throws PhotonError `USAGE`. */
function findEndpoints({ env }: Terminal, named = ''): readonly Endpoint[] {
  const own = env.PHOTON_BASE_URL ? [ownEndpoint(env.PHOTON_BASE_URL, env)] : [];
  const keyed = findKeyedVendors(env);
  const chosen = new Map(
    named
      .split(',')
      .filter(text => text.trim() !== '')
      .map(text => {
        const [, host = '', model = ''] = /^\s*([\w.]+)=(\S+)\s*$/.exec(text) ?? [];
        if (model === '')
          throw new PhotonError('USAGE', '--model takes PROVIDER=MODEL, such as openai=gpt-5.');
        return [host, model] as const;
      }),
  );
  const all = [...own, ...keyed].map(endpoint => ({
    ...endpoint,
    model: chosen.get(providerName(endpoint.baseUrl)) ?? endpoint.model,
  }));
  const without = all.find(endpoint => endpoint.model === '');
  if (without !== undefined)
    throw new PhotonError('USAGE', `No model is named for ${without.baseUrl}. Set PHOTON_MODEL.`);
  return all;
}

function ownEndpoint(baseUrl: string, env: Terminal['env']): Endpoint {
  const { apiKey, ...found } = findEndpoint({
    baseUrl,
    apiKey: env.PHOTON_API_KEY ?? '',
    model: env.PHOTON_MODEL ?? '',
  });
  return { ...found, key: apiKey };
}

function announce(repository: string | undefined, endpoints: readonly Endpoint[]): string {
  const { input, output } = examinationTokens;
  return joinDefined([
    repository !== undefined && [
      `In ${repository}: makes a branch photon/acceptance-… with one file, a draft pull request, a comment and a review comment on it.`,
      'Then it deletes the branch and closes the pull request, which stays in the list.',
    ],
    ...endpoints.map(
      ({ baseUrl, model }) =>
        `At ${baseUrl}: asks ${model}, for at most about ${input} input and ${output} output tokens.`,
    ),
    '',
  ]);
}

async function agrees({ ask }: Terminal): Promise<boolean> {
  return ask !== undefined && /^y(es)?$/i.test((await ask('Go on? [y/N] ')).trim());
}

async function tryEndpoint(endpoint: Endpoint, terminal: Terminal) {
  const { model } = endpoint;
  const at = `${model} at ${providerName(endpoint.baseUrl)}`;
  const found = await examineWithin(terminal, endpoint);
  const check = (name: string, holds: boolean | undefined, detail: string) => ({
    name: `${at}: ${name}`,
    holds,
    detail,
  });
  const answered = check('answers', found.plain, found.failure?.message ?? '');
  if (!found.plain) return [answered];
  const wrong = await examineWithin(terminal, { ...endpoint, model: 'photon-no-such-model' });
  const price = findPrice(model, {});
  return [
    answered,
    check('calls tools', found.tools, ''),
    check('streams', found.streams, ''),
    check(
      'has a known price',
      price !== undefined,
      price === undefined ? 'set prices in the configuration' : '',
    ),
    check(
      'refuses an unknown model with a clear error',
      !wrong.plain && wrong.failure !== undefined,
      wrong.failure?.code ?? 'it answered',
    ),
  ];
}

function renderCheck({ name, holds, detail }: AcceptanceCheck): string {
  const mark = holds === undefined ? 'SKIPPED ' : holds ? 'holds   ' : 'BROKEN  ';
  return `${mark}${name}${detail === '' ? '' : ` (${detail})`}\n`;
}
