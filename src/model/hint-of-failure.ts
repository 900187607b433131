/** What to do about a failed request to a model, from what its endpoint said. Pure. */
import type { Failure } from './retry.ts';

type Case = readonly [matches: (failure: Failure) => boolean, hint: string];

const cases: readonly Case[] = [
  [
    ({ status, vendorCode, message }) =>
      status === 402 ||
      vendorCode === 'insufficient_quota' ||
      /billing|credit balance|out of credits|payment required/i.test(message),
    'The account of the key has no credit or quota left. Add some, or use the key of another account.',
  ],
  [
    ({ message }) => /filtered the reply|content.?filter/i.test(message),
    'The endpoint filtered the reply. Reword the task, or use an endpoint without that filter.',
  ],
  [
    ({ message }) => /token limit inside a tool call/.test(message),
    'The reply needed more tokens than the endpoint lets the model send. Raise its limit there, use a model with a larger output, or make the task smaller.',
  ],
  [
    ({ status }) => (status ?? 0) >= 500,
    'The endpoint answered with the error in the message. Try again later, or name a model that takes over in model.fallbacks.',
  ],
];

/** The hint for what the endpoint named; undefined where the hint of the code says all. */
export function hintOfFailure(failure: Failure): string | undefined {
  return cases.find(([matches]) => matches(failure))?.[1];
}

/** The HTTP status that belongs to the name of an error, for errors inside a reply of status 200; null for another name. */
export function statusOfCode(code: string): number | null {
  if (/^[45]\d\d$/.test(code)) return Number(code);
  return statuses.find(([name]) => name.test(code))?.[1] ?? null;
}

const statuses: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many.?requests|insufficient_quota/i, 429],
  [/authentication|invalid_api_key|unauthori[sz]ed/i, 401],
  [/permission|forbidden/i, 403],
  [/not_found/i, 404],
  [/invalid_request|invalid_prompt|context_length/i, 400],
  [/overloaded|server_error|api_error|unavailable|timeout/i, 503],
];
