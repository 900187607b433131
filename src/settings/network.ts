/** The setting `network`: which commands have a network, and the hosts that they can reach. */
import * as z from 'zod';

const networks = ['none', 'setup', 'allow'] as const;

/** As written: a word, or hosts with at most one word among them. */
export type NetworkValue = (typeof networks)[number] | readonly string[];

/** Which commands may use the network, and where it ends. */
export interface NetworkAccess {
  readonly commands: (typeof networks)[number];
  /** The hosts that they can reach, such as `*.example.org:8443`; undefined for all. */
  readonly hosts: readonly string[] | undefined;
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domain = `(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`;
const entry = new RegExp(`^(?:setup|allow|(?:\\*\\.)?${domain}(?::[1-9]\\d{0,4})?)$`);

/** A host name in its plain form: ASCII in lower case, at least two labels, no dot at the end, no address. */
export const plainHost = new RegExp(`^(?=.{1,253}$)${domain}$`);

const expected =
  'Write none, setup, allow, or hosts such as registry.example.org, *.example.org or example.org:8443 in lower case.';

export const networkValue = (): z.ZodType<NetworkValue> => {
  const hosts = z
    .array(z.string().regex(entry, expected))
    .max(101)
    .refine(list => list.some(isHost), expected);
  return z.union([z.enum(networks), hosts], { error: expected });
};

const isHost = (item: string) => item.includes('.');

/** Hosts alone are for the set-up command. */
export function toNetworkAccess(value: NetworkValue): NetworkAccess {
  if (typeof value === 'string') return { commands: value, hosts: undefined };
  return {
    commands: value.includes('allow') ? 'allow' : 'setup',
    hosts: value.filter(isHost),
  };
}
