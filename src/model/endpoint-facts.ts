/** What a run knows of its endpoint before the first request, and learns from refusals, once for each fact. Pure. */
import { PhotonError } from '../base/codes.ts';
import { type ImageChoice, takesImages } from '../settings/models.ts';
import { findVendor } from '../settings/vendors.ts';
import {
  type ApiName,
  type EmptyContent,
  type EndpointFacts,
  firstFacts,
  type JsonObject,
  reasoningItems,
} from './apis/api.ts';
import { apis } from './apis/index.ts';
import type { Failure } from './retry.ts';
import { readTooLong } from './too-long.ts';

/** What a person set about an endpoint. */
export interface EndpointChoice {
  readonly baseUrl: string;
  readonly model: string;
  readonly api?: ApiName | 'auto';
  readonly reasoningEffort?: string;
  readonly extraBody?: JsonObject;
  readonly images?: ImageChoice;
}

/** The facts before the first request: what a person set comes before the tables of vendors and models. */
export function startFacts(choice: EndpointChoice): EndpointFacts {
  const { baseUrl, model, api = 'auto', extraBody = {}, images = 'off' } = choice;
  const { facts, modelFacts = [] } = findVendor(baseUrl) ?? {};
  const ofModel = modelFacts.find(([name]) => name.test(model))?.[1];
  const known = { ...firstFacts, ...facts, ...ofModel };
  return {
    ...known,
    api: api === 'auto' ? known.api : api,
    reasoningEffort: choice.reasoningEffort ?? known.reasoningEffort,
    images: takesImages(model, images),
    extraBody,
  };
}

/** The facts after a refusal, and what was learned, as a phrase. */
export interface FactsUpdate {
  readonly facts: EndpointFacts;
  readonly phrase: string;
}

const refusals: ReadonlySet<number> = new Set([400, 404, 405, 413, 422]);

const unsupported =
  /n['’o]t support|not (?:permitted|enabled|allowed)|unsupported|unrecognized|unknown|extra inputs/i;
/** Words with which an endpoint says that a field or its value is wrong. */
const misused =
  /extra_forbidden|unexpected|invalid|does not match|input should be|must be verified|cannot use/i;
/** True for a message that says that the endpoint does not take a field. */
const isRefusal = (message: string) =>
  unsupported.test(message) || misused.test(message) || /does not exist/i.test(message);

/** How endpoints speak of a field whose name they do not say, or whose name is a common word. */
const otherWords: Readonly<Record<string, RegExp>> = {
  // "Encrypted content is not supported with this model."
  include: /['"`]include['"`]|(?<![\w ])include:|: include\b|encrypted content/i,
  // "This model does not support the effort parameter."
  output_config: /output[_. ]?config|\beffort parameter/i,
  // Ollama: "qwen3-coder does not support thinking"
  reasoning_effort: /reasoning[_. ]?effort|(?<![\w.])(?:reasoning|thinking)(?![\w.])/i,
  // "Your organization must be verified to generate reasoning summaries." (continuedev/continue#12031)
  'reasoning.summary': /reasoning[_. ]?summar(?:y|ies)/i,
};

/** Matches a field in a message; some endpoints write it with blanks or dots, and name the kind of its value. */
const fieldPattern = (name: string) => {
  const form = name.replace(/[_.]/g, mark => (mark === '_' ? '[_. ]?' : '[_. ]?(?:\\w+[.])?'));
  return otherWords[name] ?? new RegExp(`(?<!\\w)${form}(?!\\w)`, 'i');
};

/** A refusal, and the request that was refused. */
interface Refusal {
  readonly message: string;
  /** The field that the endpoint names as the cause; empty if it names none. */
  readonly param: string;
  readonly status: number;
  /** Undefined where it is not known. */
  readonly body: JsonObject | undefined;
}

/** The optional field that a refusal names; undefined if it names none that is still sent. */
function refusedField({ message, param, body }: Refusal, facts: EndpointFacts): string | undefined {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const isSent = (name: string) => sent?.includes(`"${name.split('.').at(-1)}":`) ?? true;
  const optional = apis[facts.api].optional.filter(
    name => !facts.refused.has(name) && isSent(name),
  );
  const named = optional.find(name => name === param);
  if (named !== undefined || !isRefusal(message)) return named;
  return optional.find(name => fieldPattern(name).test(message));
}

/** The messages of the request as JSON; undefined where they are not known. */
function sentMessages({ body }: Refusal): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body.messages ?? body.input);
}

/** True where the request may have held an image. */
function sendsImage(refusal: Refusal): boolean {
  const sent = sentMessages(refusal);
  return sent === undefined || /"type":"(?:image|image_url|input_image)"/.test(sent);
}

/** What stands for an empty text at an endpoint that refused what stood for it; undefined for another refusal. */
function otherContent(refusal: Refusal, facts: EndpointFacts): EmptyContent | undefined {
  const isEmpty = /"content":(?:null|"")/.test(sentMessages(refusal) ?? '');
  if (facts.api !== 'chat' || !isEmpty) return undefined;
  if (facts.emptyContent !== '.' && contentEmpty.test(refusal.message)) return '.';
  return facts.emptyContent === null && contentNull.test(refusal.message) ? '' : undefined;
}

/** mistralai/mistral-common#324, lmstudio-ai/lmstudio-bug-tracker#261, can1357/oh-my-pi#5121. */
const contentNull =
  /content.{0,40}(?:(?:must be|expected) a string|valid string|(?:got|was|not be|type:) null)/i;

/** Bedrock behind a gateway: "The content field in the Message object at messages.1 is empty"; "text content blocks must be non-empty". */
const contentEmpty = /content.{0,60}(?:is empty|non-?empty|(?:not|cannot) be empty|at least 1)/i;

const useNewer = /use ['"`]?max_completion_tokens/i;

const apiNames: Readonly<Record<ApiName, readonly [name: string, path: RegExp]>> = {
  chat: ['chat completions', /chat\/completions|chat completions/i],
  responses: ['the Responses API', /\/responses\b|responses api/i],
  messages: ['the Messages API', /\/messages\b|messages api/i],
};

/** Words before the name of the API that is to be used. */
const useOther =
  /(?:\buse|\btry|only (?:supported|available|served) (?:in|by|via|through|with)|switch to) (?:the )?[^,;]{1,25}/gi;

const nameApi = (api: ApiName | undefined) => apiNames[api ?? 'chat'][0];

/**
 * The other API that a refusal says to use; undefined where it names none, or one that the endpoint does not serve. OpenAI:
 * "This model is only supported in v1/responses and not in v1/chat/completions", "To use function tools, use /v1/responses".
 */
function otherApi(message: string, { api, missing }: EndpointFacts): ApiName | undefined {
  if (api === 'chat' && missing !== 'responses' && /not a chat model/i.test(message))
    return 'responses';
  const named = [...message.matchAll(useOther)].map(([text]) => text).join(' ');
  const names = Object.keys(apiNames) as readonly ApiName[];
  return names.find(name => name !== api && name !== missing && apiNames[name][1].test(named));
}

interface Lesson {
  /** What is learned; a function where the refusal names it. */
  readonly phrase: string | ((refusal: Refusal, facts: EndpointFacts) => string);
  readonly when: (message: string, facts: EndpointFacts, refusal: Refusal) => boolean;
  readonly teach: (
    facts: EndpointFacts,
    message: string,
    refusal: Refusal,
  ) => Partial<EndpointFacts>;
}

/** In this order: the plainest cause of a refusal first. */
const lessons: readonly Lesson[] = [
  {
    phrase: (_refusal, { api }) => `it does not serve ${nameApi(api)}`,
    when: (_m, f, { status }) => f.leftApi !== null && (status === 404 || status === 405),
    // what was refused there is then asked for without an effort
    teach: ({ leftApi, api }) => ({
      api: leftApi ?? api,
      leftApi: null,
      missing: api,
      reasoningEffort: 'none',
    }),
  },
  {
    phrase: ({ message }, f) =>
      `it serves this model, or its tools, by ${nameApi(otherApi(message, f))}`,
    when: (m, f) => otherApi(m, f) !== undefined,
    teach: (f, m) => ({ api: otherApi(m, f), leftApi: f.api }),
  },
  {
    // OpenAI, models that reason: "Function tools with reasoning_effort are not supported … set reasoning_effort to 'none'"
    phrase: 'it takes tools only with reasoning_effort none',
    when: (m, f) =>
      f.reasoningEffort !== 'none' && /reasoning[_. ]?effort/i.test(m) && /\bnone\b/i.test(m),
    teach: () => ({ reasoningEffort: 'none' }),
  },
  {
    // Gemma: "System role not supported"; Mistral: "Unexpected role 'user' after role 'tool'"; llama.cpp with other templates:
    // "Conversation roles must alternate user/assistant/user/assistant/..."
    phrase: 'its template takes no system role, or lets the roles alternate alone',
    when: (m, f) => f.api === 'chat' && !f.foldsRoles && refusesRoles(m),
    teach: () => ({ foldsRoles: true }),
  },
  {
    // DeepSeek (earendil-works/pi#3636), Kimi (bytedance/deer-flow#3043): also of a reply that had none
    phrase: 'it wants reasoning_content with each call',
    when: (m, f) =>
      f.api === 'chat' &&
      !f.wantsReasoning &&
      /reasoning_content/.test(m) &&
      /must be passed back|missing/i.test(m),
    teach: () => ({ wantsReasoning: true }),
  },
  {
    phrase: 'its replies have a smaller limit',
    when: (m, f) =>
      /max(_completion|_output)?_tokens|maximum.{0,20}output/i.test(m) &&
      limitIn(m) !== undefined &&
      limitIn(m) !== f.maxReplyTokens,
    teach: (_f, m) => ({ maxReplyTokens: limitIn(m) }),
  },
  {
    // OpenAI: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    phrase: 'it takes max_completion_tokens in place of max_tokens',
    when: (m, f) => f.tokenLimitKey === 'max_tokens' && useNewer.test(m),
    teach: () => ({ tokenLimitKey: 'max_completion_tokens' }),
  },
  {
    phrase: 'it takes max_tokens in place of max_completion_tokens',
    when: (m, f) =>
      f.tokenLimitKey === 'max_completion_tokens' &&
      /max_completion_tokens/i.test(m) &&
      !useNewer.test(m),
    teach: () => ({ tokenLimitKey: 'max_tokens' }),
  },
  {
    phrase: 'it takes no limit of the reply',
    when: (m, f) =>
      f.tokenLimitKey === 'max_tokens' &&
      /max_tokens/i.test(m) &&
      isRefusal(m) &&
      limitIn(m) === undefined,
    teach: () => ({ tokenLimitKey: null }),
  },
  {
    // Mistral: "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9."
    phrase: 'it takes call ids of nine letters and digits',
    when: (m, f) => !f.shortIds && /tool[_ ]call[_ ]?id/i.test(m) && /length of 9/i.test(m),
    teach: () => ({ shortIds: true }),
  },
  {
    // OpenRouter: "No endpoints found that support image input"; Ollama: "this model does not support image input";
    // OpenAI: "image_url is only supported by certain models"; DeepSeek: "unknown variant `image_url`, expected `text`"
    phrase: 'it takes no images',
    when: (m, f, refusal) =>
      f.images && sendsImage(refusal) && (imageRefused.test(m) || textOnly.test(m)),
    teach: () => ({ images: false }),
  },
  {
    phrase: (refusal, f) =>
      otherContent(refusal, f) === '' ? 'it takes no content of null' : 'it takes no empty content',
    when: (_m, f, refusal) => otherContent(refusal, f) !== undefined,
    teach: (f, _m, refusal) => ({ emptyContent: otherContent(refusal, f) }),
  },
  {
    // gateways with several accounts: "The encrypted content … could not be verified", "Invalid `signature` in `thinking` block"
    phrase: 'it does not take its reasoning back',
    when: (m, f) => f.api !== 'chat' && !f.refused.has(reasoningItems) && reasoningBack.test(m),
    teach: f => ({ refused: new Set([...f.refused, reasoningItems]) }),
  },
  {
    // Anthropic: "cache_control: Extra inputs are not permitted"; OpenAI: "Unknown parameter: 'include'."
    phrase: (refusal, f) => `it takes no ${refusedField(refusal, f)}`,
    when: (_m, f, refusal) => refusedField(refusal, f) !== undefined,
    teach: (f, _m, refusal) => ({
      refused: new Set([...f.refused, refusedField(refusal, f) ?? '']),
    }),
  },
  {
    phrase: 'it does not stream',
    when: (m, f) => f.stream && /\bstream(ing)?\b/i.test(m) && isRefusal(m),
    teach: () => ({ stream: false }),
  },
];

const roles = /system role.{0,20}not supported|unexpected role|only user and assistant roles/i;
const roleOrder = /roles must alternate|after (?:user|role).{0,30}message.{0,30}assistant/i;
const refusesRoles = (message: string) => roles.test(message) || roleOrder.test(message);

const reasoningBack =
  /encrypted content.{0,300}could not be|could not (?:decrypt|decode)|items? [`'"]?rs_\w+.{0,40}not found|bound to a different|invalid [`'"]?signature|of type 'reasoning' was provided without|thinking[`'"]? blocks.{0,80}cannot be modified/i;

const imageRefused =
  /(?:image|multi-?modal|vision).{0,80}(?:not support|unsupported|only supported|not allowed|invalid|expected|exceed|too large)|(?:no endpoints|not support|unsupported|unknown variant|not a|text-only|could not process|invalid).{0,80}(?:image|multi-?modal|vision)/i;

/** Servers whose models read text alone, such as Groq's: "messages[1].content must be a string". */
const textOnly = /content.{0,40}(?:must be a string|expected a string|should be a valid string)/i;

/** How endpoints name the largest limit of a reply. */
const namedLimits: readonly RegExp[] = [
  // Anthropic: "max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for …"
  /: \d+ > (\d{2,7}), which is the maximum/i,
  // DeepSeek: "the valid range of max_tokens is [1, 8192]"
  /\[ ?\d+, ?(\d{2,7}) ?\]/,
  /(?:at most|maximum(?: value)?(?: of| is)?|less than or equal to|<=|≤|up to|must be between 1 and|supports)\D{0,40}?(\d{2,7})/i,
];

/** The number that a message names as the largest limit of a reply. */
function limitIn(message: string): number | undefined {
  const found = namedLimits.map(pattern => pattern.exec(message)?.[1]).find(n => n !== undefined);
  return found === undefined ? undefined : Number(found);
}

/**
 * What a refusal teaches; undefined when it teaches nothing new.
 * @param body the request that was refused, where it is known.
 */
export function learnFrom(
  failure: Failure,
  facts: EndpointFacts,
  body?: JsonObject,
): FactsUpdate | undefined {
  const { status, message, param = '' } = failure;
  if (readTooLong(failure) !== undefined) return undefined;
  // llama.cpp answers 500: "image input is not supported - hint: … you may need to provide the mmproj"
  const isServer =
    status === 500 && (/image input is not supported/i.test(message) || refusesRoles(message));
  if (status === undefined || !(refusals.has(status) || isServer)) return undefined;
  const refusal = { message, param, status, body };
  const lesson = lessons.find(l => l.when(message, facts, refusal));
  if (lesson === undefined) return undefined;
  const phrase = typeof lesson.phrase === 'string' ? lesson.phrase : lesson.phrase(refusal, facts);
  return { phrase, facts: { ...facts, ...lesson.teach(facts, message, refusal) } };
}

/** Words for tools as such, not for a part of one. */
const toolWords =
  /\b(?:tools?|tool[ _-]?(?:use|choice|calls?|calling)|function[ _-]?call(?:s|ing)?)\b(?![.[])/i;

const toolsMissed = /not available|no endpoints found that support|only supports single/i;

/** Why an endpoint cannot call tools at all; undefined when the failure is another one. */
export function toolsMissing({ status, message }: Failure): string | undefined {
  if (status === undefined || status < 400) return undefined;
  // llama.cpp: "tools param requires --jinja flag"
  if (/requires --jinja/i.test(message)) return 'llama.cpp runs without --jinja';
  // vLLM: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
  if (/--enable-auto-tool-choice|--tool-call-parser/i.test(message))
    return 'vLLM runs without a tool parser';
  // Ollama: "… does not support tools"; OpenRouter: "No endpoints found that support tool use"
  const isRefused = unsupported.test(message) || toolsMissed.test(message);
  return isRefused && toolWords.test(message) ? 'the model has no support for tools' : undefined;
}

/** The endpoint cannot call tools at all. */
export class NoToolsError extends PhotonError {
  /** Why, such as "llama.cpp runs without --jinja". */
  readonly reason: string;

  constructor(reason: string) {
    const cure = 'Set agent-profile: kjxlkj-agent, which needs no support for tools.';
    super('MODEL_REQUEST', `The endpoint cannot call tools: ${reason}. ${cure}`);
    this.reason = reason;
  }
}
