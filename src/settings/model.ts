/** Settings of the model: its endpoint, its name and its prices. */
import * as z from 'zod';
import type { Engine } from '../base/outcome.ts';
import { collectWords } from '../base/plural.ts';
import { parseJson } from '../base/schema-issue.ts';
import { keyExchangeNames, parseIds } from './key-exchange.ts';
import {
  address,
  checkedBy,
  choice,
  convertValue,
  githubSetting,
  matching,
  secondsToMs,
  setting,
  texts,
  textValue,
  wholeNumber,
} from './setting.ts';

/** Headers that the transport sets, or that another setting does. */
const ownHeaders = collectWords(
  'host content-length content-type content-encoding transfer-encoding connection upgrade te trailer expect',
);
const isOwnHeader = (name: string) => ownHeaders.has(name.toLowerCase()) || /^proxy-/i.test(name);

const headerSchema = () =>
  z
    .record(
      z.string(),
      z.string().regex(/^[\t\x20-\x7e]{0,8000}$/, 'The value of a header is ASCII in one line.'),
    )
    .refine(
      headers => Object.keys(headers).every(name => /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name)),
      'Give each header as a line "name: value".',
    )
    .refine(
      headers => !Object.keys(headers).some(isOwnHeader),
      'Photon sets Host, Connection and the headers of the content itself.',
    );

/** Lines of `name: value`. A line without a colon has a name that the schema refuses. */
function readHeaders(text: string): unknown {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '');
  return Object.fromEntries(
    lines.map(line => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Fields of a request that Photon fills. */
const ownFields: readonly string[] =
  'model messages input system tools functions stream store n'.split(' ');

const bodySchema = () =>
  z
    .record(z.string(), z.unknown(), 'Give a JSON object.')
    .refine(
      body => !Object.keys(body).some(name => ownFields.includes(name)),
      `Photon fills ${ownFields.join(', ')} itself.`,
    );

export const modelSettings = {
  apiKey: setting(textValue(), {
    input: 'api-key',
    default: '',
    secret: true,
    description: 'Key for the model endpoint.',
  }),
  keyExchange: githubSetting(choice(keyExchangeNames), {
    input: 'key-exchange',
    default: undefined,
    omit: true,
    description: `Exchanges the OIDC token of the job for a model key, which is renewed before it expires. Use it instead of api-key. ${keyExchangeNames.join(', ')}: whose token endpoint it is.`,
  }),
  keyExchangeIds: githubSetting(
    checkedBy(() => z.record(z.string(), z.string()), { read: parseIds, form: 'name=value,...' }),
    {
      input: 'key-exchange-ids',
      default: undefined,
      omit: true,
      description:
        'What the exchange needs, as name=value, separated by commas or line breaks: the ids that docs/triggers.md names. Of every exchange, url sets the token endpoint, which rfc8693 needs, and audience that of the OIDC token. A url alone means rfc8693.',
    },
  ),
  baseUrl: setting(address(), {
    input: 'base-url',
    default: '',
    description:
      'Address of the endpoint, such as https://llm.example/v1. Without it, the key and the name of the model tell the vendor (docs/models.md).',
  }),
  api: setting(choice(['auto', 'chat', 'responses', 'messages']), {
    input: 'api',
    default: 'auto',
    description:
      "API of the endpoint: OpenAI's chat completions or Responses, or Anthropic's Messages. auto begins with chat completions, or with Messages at api.anthropic.com, and follows what the endpoint answers.",
  }),
  model: setting(textValue(undefined, 'name'), {
    input: 'model',
    key: 'model.name',
    default: '',
    description:
      'Name of the model at the endpoint. builtin is the embedded engine, which repairs failing tests without a model; it is used if neither model nor api-key is set.',
  }),
  reasoningEffort: setting(
    matching(() => z.string().regex(/^[a-z]{1,20}$/), 'one lower-case word'),
    {
      input: 'reasoning-effort',
      key: 'model.reasoningEffort',
      default: undefined,
      description:
        'Effort of reasoning that is asked for, such as none, low, medium or high. If it is not set, the endpoint decides.',
    },
  ),
  images: setting(choice(['auto', 'on', 'off']), {
    key: 'model.images',
    default: 'auto',
    description:
      'Images (PNG, JPEG) that the texts of a task embed. auto: sent to models that are known to see. on: sent to every model; text stands for them if the endpoint refuses one. off: never sent.',
  }),
  extraHeaders: setting(
    checkedBy(headerSchema, { read: readHeaders, form: 'name: value', inputNote: 'One a line.' }),
    {
      input: 'model-headers',
      key: 'model.headers',
      default: undefined,
      secret: true,
      weakens: () => true,
      description:
        "Further headers of each request to the model, such as those that a gateway asks for. A repository's configuration cannot set any.",
    },
  ),
  extraBody: setting(checkedBy(bodySchema, { read: parseJson, form: 'json' }), {
    input: 'model-body',
    key: 'model.body',
    default: undefined,
    weakens: () => true,
    description:
      "Further fields of each request to the model, as a JSON object. A repository's configuration cannot set any.",
  }),
  idleTimeoutMs: setting(convertValue(wholeNumber(5, 3600), secondsToMs), {
    key: 'model.idleSeconds',
    default: 120,
    description:
      'Maximum seconds without a part of a reply: three times as many before its first one, and ten times as many while the endpoint sends comments that keep the connection alive. Raise it for a local model that reads a long prompt slowly.',
  }),
  contextWindow: setting(wholeNumber(2048, 10_000_000), {
    key: 'model.contextWindow',
    default: undefined,
    description:
      'Context window of the model in tokens. Without it, a known model has its own, and a refusal of the endpoint teaches it.',
  }),
  maxOutputTokens: setting(wholeNumber(256, 200_000), {
    key: 'model.maxOutputTokens',
    default: 8192,
    description: 'Maximum tokens of one reply.',
  }),
  fallbacks: setting(
    checkedBy<readonly string[]>(() => texts(4, 200)),
    {
      key: 'model.fallbacks',
      default: [],
      description:
        'Names of models at the same endpoint, at most four. The next one takes over for the rest of the run when one is unavailable, rate-limited or unknown.',
    },
  ),
  modelChoices: setting(
    checkedBy<readonly string[]>(() => texts(20, 200)),
    {
      key: 'model.choices',
      default: [],
      description:
        'Names of models at the same endpoint, at most twenty, that a command on GitHub may choose with --model NAME (docs/triggers.md).',
    },
  ),
  prices: setting(
    checkedBy(() =>
      z.record(
        z.string(),
        z.strictObject({
          input: z.number().min(0).describe('Price of 1,000,000 input tokens.'),
          cached: z.number().min(0).optional().describe('Price of those from a cache.'),
          cacheWrite: z.number().min(0).optional().describe('Price of those written to a cache.'),
          output: z.number().min(0).describe('Price of 1,000,000 output tokens.'),
        }),
      ),
    ),
    {
      key: 'model.prices',
      default: undefined,
      description:
        'Prices by model name. They take precedence over the list that ships with Photon (docs/dev/measurements.md).',
    },
  ),
} as const;

const secretName = /auth|key|token|secret|password|credential|cookie|signature/i;

/** What is secret in the address, the headers and the fields of the requests to the model. A run hides it in all it writes. */
export function listSecretParts({
  baseUrl,
  extraHeaders,
  extraBody,
}: {
  readonly baseUrl: string;
  readonly extraHeaders?: Readonly<Record<string, string>> | undefined;
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}): readonly string[] {
  const query = URL.canParse(baseUrl) ? Object.fromEntries(new URL(baseUrl).searchParams) : {};
  return [query, extraHeaders, extraBody].flatMap(listNamedSecrets);
}

function listNamedSecrets(value: unknown): readonly string[] {
  return Object.entries(Object(value)).flatMap(([name, part]) => {
    if (typeof part === 'string') return secretName.test(name) ? [part] : [];
    return listNamedSecrets(part);
  });
}

/** Without a name and without a key, no endpoint can be called: the embedded engine runs. */
export function chooseEngine(named: string, apiKey: string): { model: string; engine: Engine } {
  const isBuiltin = named === 'builtin' || (named === '' && apiKey === '');
  return isBuiltin ? { model: 'builtin', engine: 'builtin' } : { model: named, engine: 'openai' };
}
