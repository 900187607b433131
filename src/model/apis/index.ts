/** Opens a wire by its name; the code of one is loaded only when it is used. */
import type { WireName } from '../endpoint-facts.ts';
import type { Wire } from './api.ts';

/** The headers of the Messages API, which carry the key and the version of the API. */
export function messagesHeaders(apiKey: string): Readonly<Record<string, string>> {
  return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
}

/** The wire of an API; null for chat completions, which the SDK serves by itself. */
export async function wireNamed(name: WireName): Promise<Wire | null> {
  switch (name) {
    case 'responses':
      return (await import('./responses.ts')).responsesWire;
    case 'messages':
      return (await import('./messages.ts')).messagesWire;
    case 'chat':
      return null;
  }
}
