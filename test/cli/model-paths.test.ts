/** The shortest paths of docs/models.md: each is played as it stands, in a world where only its vendor can be reached. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withConfig } from '../doubles/config.ts';
import { startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { anthropic } from '../doubles/providers/anthropic.ts';
import { azureV1 } from '../doubles/providers/azure.ts';
import { deepseek } from '../doubles/providers/deepseek.ts';
import { gemini } from '../doubles/providers/gemini.ts';
import { groq } from '../doubles/providers/groq.ts';
import { mistral } from '../doubles/providers/mistral.ts';
import { ollama } from '../doubles/providers/ollama.ts';
import { openrouter } from '../doubles/providers/openrouter.ts';
import { type Provider, playedBy, refusal } from '../doubles/providers/provider.ts';
import { type StrictProvider, startStrict } from '../doubles/providers/strict-server.ts';
import { type AuthorityDouble, makeAuthority } from '../doubles/proxy.ts';
import { repairScript, sampleFiles, sampleTask, withSampleTest } from '../doubles/sample.ts';
import { startTokenEndpoint } from '../doubles/token-endpoint.ts';
import { openVendorWorld, type VendorPlace } from '../doubles/vendor-world.ts';
import { discard, makeFolder, runAction } from '../harness.ts';
import { root } from '../root.ts';
import { playsVariants, sample } from '../seed.ts';
import { folder, photon, repo, useClone } from './clone.ts';

const page = readFileSync(join(root, 'docs/models.md'), 'utf8');
const part = page.slice(
  page.indexOf('## Shortest paths'),
  page.indexOf('## What Photon sends first'),
);
const blocks = [...part.matchAll(/^### (.+)\n[\s\S]*?^```(sh|yaml)\n([\s\S]*?)^```$/gm)].map(
  ([, title = '', language = '', code = '']) => ({ title, language, code }),
);
const testKey = 'key-of-the-test-4711';

/** Where a path leads, and how its vendor answers. */
interface Place extends VendorPlace {
  readonly answers: Provider | StrictProvider;
}

const bearer = ['authorization', `Bearer ${testKey}`] as const;
const local = (answers: Provider): Place => ({
  host: '',
  path: '/v1/chat/completions',
  key: undefined,
  answers,
});
const strict: Provider = {
  name: 'strict',
  source: '',
  refuse: ({ stream_options, ...body }) =>
    'max_completion_tokens' in body ? refusal(400, 'max_completion_tokens is unknown') : null,
};
/** OpenAI: models that reason refuse max_tokens. */
const openai: Provider = {
  name: 'OpenAI',
  source: '',
  refuse: body =>
    'max_tokens' in body
      ? refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
      : null,
};

const places: Readonly<Record<string, Place>> = {
  Ollama: local(ollama(32_768)),
  'LM Studio': local(strict),
  vLLM: local(strict),
  'llama.cpp': local(strict),
  Azure: {
    host: 'shop.openai.azure.com',
    path: '/openai/v1/chat/completions',
    key: bearer,
    answers: azureV1,
  },
  'Bedrock, through a gateway': local(strict),
  OpenRouter: {
    host: 'openrouter.ai',
    path: '/api/v1/chat/completions',
    key: bearer,
    answers: openrouter(),
  },
  'An OpenAI key': {
    host: 'api.openai.com',
    path: '/v1/chat/completions',
    key: bearer,
    answers: openai,
  },
  'An Anthropic key': {
    host: 'api.anthropic.com',
    path: '/v1/messages',
    key: ['x-api-key', testKey],
    answers: anthropic,
  },
  'A Gemini key': {
    host: 'generativelanguage.googleapis.com',
    path: '/v1beta/openai/chat/completions',
    key: bearer,
    answers: gemini,
  },
  Groq: {
    host: 'api.groq.com',
    path: '/openai/v1/chat/completions',
    key: bearer,
    answers: groq(),
  },
  Mistral: { host: 'api.mistral.ai', path: '/v1/chat/completions', key: bearer, answers: mistral },
  DeepSeek: {
    host: 'api.deepseek.com',
    path: '/v1/chat/completions',
    key: bearer,
    answers: deepseek,
  },
  xAI: { host: 'api.x.ai', path: '/v1/chat/completions', key: bearer, answers: strict },
};

async function startAnswers(answers: Place['answers']) {
  if ('name' in answers) {
    const model = await startModel(playedBy(answers, repairScript));
    return { url: `${model.url}/chat/completions`, close: model.close };
  }
  const server = await startStrict(
    answers,
    repairScript.map(({ text = '', calls = [] }, i) => ({
      text,
      calls: calls.map((call, k) => ({
        id: `call_${i}_${k}`,
        name: call.name,
        arguments: Object(call.arguments) as object,
      })),
    })),
  );
  return { url: `${server.url}${answers.path}`, close: server.close };
}

let files: string;
let authority: AuthorityDouble;
beforeAll(() => {
  files = makeFolder();
  authority = makeAuthority(files);
});
afterAll(() => discard(files));
useClone();

/** The variables and the arguments of the commands of a block; commands of others are not carried out. */
function readBlock(code: string, address: string) {
  const lines = code.split('\n');
  const env = Object.fromEntries(
    lines.flatMap(line => {
      const [, name = ''] = /^export ([A-Z_]+)=…$/.exec(line) ?? [];
      return name === '' ? [] : [[name, testKey]];
    }),
  );
  const own = lines.filter(line => line.startsWith('photon run '));
  const [words = []] = own.map(line => line.match(/"[^"]*"|\S+/g) ?? []);
  const args = words.slice(1).map(word =>
    word
      .replaceAll('"', '')
      .replace(/^http:\/\/localhost:\d+/, `http://${address}`)
      .replace('NAME.', 'shop.'),
  );
  return { env, args, runs: own.length };
}

describe('the shortest path for', () => {
  it('each kind of endpoint is on the page, and is played', () => {
    const shell = blocks.filter(({ language }) => language === 'sh').map(({ title }) => title);
    expect(shell.sort()).toEqual(Object.keys(places).sort());
    expect(blocks.filter(({ language }) => language === 'yaml')).toHaveLength(1);
  });

  it.runIf(playsVariants).each(sample('shortest paths', Object.entries(places), 1))(
    '%s is a whole run',
    async (title, { answers, ...place }) => {
      const block = blocks.find(each => each.title === title);
      const behind = await startAnswers(answers);
      const world = await openVendorWorld(place, behind.url, authority);
      try {
        const { env, args, runs } = readBlock(block?.code ?? '', world.local);
        expect(runs).toBe(1);
        const run = await photon([...args, '--repo', repo, ...withSampleTest], {
          ...env,
          ...world.env,
        });
        expect(run.err, run.err).toContain('PATCH_WRITTEN');
        expect(world.refused).toEqual([]);
        const reached = place.host === '' ? [] : [`${place.host}:443`];
        expect([...new Set(world.asked)]).toEqual(reached);
        expect(`${run.out}${run.err}`).not.toContain(testKey);
      } finally {
        await Promise.all([world.close(), behind.close()]);
      }
    },
  );

  it('GitHub-hosted runners without secrets is a whole run of the Action', async () => {
    const [block] = blocks.filter(({ language }) => language === 'yaml');
    const job = parse(block?.code ?? '') as {
      readonly permissions: Readonly<Record<string, string>>;
      readonly steps: readonly {
        readonly uses: string;
        readonly with?: Readonly<Record<string, string>>;
      }[];
    };
    expect(job.permissions['id-token']).toBe('write');
    const step = job.steps.find(({ uses }) => uses.startsWith('photon/agent-action@'));
    const github = await startGitHub({ seed: withConfig(sampleFiles) });
    const token = await startTokenEndpoint('openai', () => ({
      body: { access_token: testKey, expires_in: 3600 },
    }));
    const behind = await startAnswers(openai);
    const place = { host: 'api.openai.com', path: '/v1/chat/completions', key: bearer };
    const world = await openVendorWorld(place, behind.url, authority);
    try {
      const workspace = join(folder, 'checkout');
      github.clone(workspace, 'main');
      const run = await runAction({
        github,
        workspace,
        modelUrl: '',
        inputs: {
          ...step?.with,
          task: sampleTask,
          'api-key': '',
          // its own host is played by the tests of the exchange
          'key-exchange-ids': `${step?.with?.['key-exchange-ids']}\nurl=${token.url}/token`,
        },
        env: {
          ...world.env,
          ACTIONS_ID_TOKEN_REQUEST_URL: `${token.url}/id?api-version=2`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'bearer-of-the-job-0123456789',
        },
      });
      expect(run.outcome, run.log).toMatchObject({ status: 'committed' });
      expect([...world.refused, ...token.violations]).toEqual([]);
      expect(token.audiences).toEqual(['https://api.openai.com/v1']);
    } finally {
      await token.close();
      await Promise.all([world.close(), behind.close(), github.close()]);
    }
  });
});
