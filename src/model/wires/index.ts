/** Opens a wire by its name; the code of one is loaded only when it is used. */
import type { WireName } from '../endpoint-facts.ts';
import type { Wire } from './wire.ts';

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
