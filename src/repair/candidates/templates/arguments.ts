/** Swaps two arguments of a call. */
import { getCall } from '../../languages/language.ts';
import { exchange, type Template } from '../template.ts';

const maxArguments = 5;

export const swapArguments: Template = {
  id: 'arguments',
  title: 'arguments of a call in another order',
  source: '"Swap Arguments" of ManySStuBs4J (Karampatsis, Sutton 2020)',
  prior: 0.5,
  *propose({ node }) {
    const args = (getCall(node)?.args ?? []).slice(0, maxArguments);
    for (const [i, one] of args.entries())
      for (const [distance, other] of args.slice(i + 1).entries())
        if (one.text !== other.text) yield exchange(one, other, distance === 0 ? 1 : 0.5);
  },
};
