/** The cause that an endpoint names for a failure, in whichever form it names it. Pure. */
import { asObject, parseJson } from '../base/schema-issue.ts';

/** What an endpoint says went wrong. */
export interface NamedCause {
  /** Its own code, or else the type of the error; empty if it names neither. */
  readonly code: string;
  readonly message: string;
}

const maxChars = 2_000;

/** The first text or number among the values that says something. */
function firstText(...values: readonly unknown[]): string {
  const found = values.find(
    value => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number',
  );
  return found === undefined ? '' : String(found).slice(0, maxChars);
}

/**
 * The cause in a body, or in one event of a stream. Undefined for one that names none, so that a reply is never taken
 * for an error: it has `choices`, `output` or `content`.
 */
export function findCause(body: unknown): NamedCause | undefined {
  // Gemini's compatible endpoint puts the error into a list
  const whole = asObject(Array.isArray(body) ? body[0] : body);
  if (['choices', 'output', 'content'].some(name => Array.isArray(whole[name]))) return undefined;
  const { error, errors, detail, base_resp, object, success } = whole;
  const listed = Array.isArray(errors) ? errors[0] : undefined;
  for (const each of [error, listed]) {
    const found = readError(each, whole);
    if (found !== undefined) return found;
  }
  // MiniMax
  const { status_code, status_msg } = asObject(base_resp);
  if (typeof status_code === 'number' && status_code !== 0)
    return { code: firstText(status_code), message: firstText(status_msg) };
  // FastAPI, and what is built on it
  const described = firstText(detail, asObject(detail).message, joinDetails(detail));
  if (described !== '') return { code: firstText(whole.code), message: described };
  // vLLM and Mistral: {"object": "error", "message": …}; Zhipu: {"code": 1113, "msg": …}
  const code = firstText(whole.code, whole.error_code, whole.type, whole.__type);
  const message = firstText(
    whole.message,
    whole.msg,
    whole.error_msg,
    whole.Message,
    joinDetails(asObject(whole.message).detail),
  );
  const isError = object === 'error' || success === false || code !== '';
  return isError && message !== '' ? { code, message } : undefined;
}

function readError(
  error: unknown,
  { message, error_description }: Readonly<Record<string, unknown>>,
): NamedCause | undefined {
  if (typeof error === 'string' && error !== '') {
    const more = firstText(error_description, message);
    return { code: '', message: more === '' ? firstText(error) : `${firstText(error)}: ${more}` };
  }
  const about = asObject(error);
  if (Object.keys(about).length === 0) return undefined;
  const stated = firstText(about.message, about.msg, about.detail, asObject(about.error).message);
  const code = firstText(about.code, about.type, about.status);
  // OpenRouter quotes what the provider itself said
  const quoted = quotedCause(asObject(about.metadata).raw);
  const text = stated === '' && quoted === '' ? JSON.stringify(about).slice(0, maxChars) : stated;
  return { code, message: [text, quoted].filter(part => part !== '').join(': ') };
}

/** The words of a provider behind a gateway: its message, or its text as it is. */
function quotedCause(raw: unknown): string {
  if (typeof raw !== 'string') return firstText(findCause(raw)?.message);
  return firstText(findCause(parseJson(raw))?.message, raw);
}

function joinDetails(detail: unknown): string {
  if (!Array.isArray(detail)) return '';
  const texts = detail.map(each => {
    const { msg, message, loc } = asObject(each);
    const at = Array.isArray(loc) ? `${loc.join('.')}: ` : '';
    return `${at}${firstText(msg, message, each)}`;
  });
  return texts.join('; ').slice(0, maxChars);
}

/** True for the text of a web page. */
export function isPage(text: string): boolean {
  return /^<(?:!doctype html|html|head|body)\b/i.test(text.trimStart().slice(0, 20));
}

/** What a web page says of itself: its title, or else its first heading. */
function findPageName(page: string): string {
  for (const tag of ['title', 'h1', 'h2']) {
    const [, inner = ''] = new RegExp(`<${tag}[^>]*>([^<]{1,300})`, 'i').exec(page) ?? [];
    if (inner.trim() !== '') return inner.replace(/\s+/g, ' ').trim();
  }
  return '';
}

/** Words by which the hint for a web page is found. */
export const webPage = 'a web page in place of an API';

/** The cause in the text of a failed reply: JSON in any form, a web page, or plain words. */
export function readCause(text: string): NamedCause {
  const parsed = parseJson(text);
  const found = findCause(parsed);
  if (found !== undefined) return found;
  if (isPage(text)) {
    const name = findPageName(text);
    return { code: '', message: `${webPage}${name === '' ? '' : `: "${name}"`}` };
  }
  const { message } = asObject(parsed);
  return { code: '', message: firstText(message, text).replace(/\s+/g, ' ').trim() };
}
