/** The setting network: words, hosts, and what is no host. */
import { describe, expect, it } from 'vitest';
import { isListed, readDestination } from '../../src/process/egress/rules.ts';
import {
  networkValue,
  plainHost,
  sandboxSettings,
  toNetworkAccess,
} from '../../src/settings/sandbox.ts';

const { network } = sandboxSettings;
const access = (text: string) => network.type.convert(network.type.parse(text, 'network'));

describe('the setting network', () => {
  it('takes a word, or hosts for the set-up command or for all commands', () => {
    expect(access('none')).toEqual({ commands: 'none', hosts: undefined });
    expect(access('allow')).toEqual({ commands: 'allow', hosts: undefined });
    const hosts = ['packages.example.com', '*.example.org:8443'];
    expect(access(hosts.join(', '))).toEqual({ commands: 'setup', hosts });
    expect(access(`setup, ${hosts.join(',')}`)).toEqual({ commands: 'setup', hosts });
    expect(access(`allow, ${hosts.join(',')}`)).toEqual({ commands: 'allow', hosts });
    expect(network.weakens(hosts)).toBe(true);
  });

  it.each([
    ...[
      '*',
      '*.org',
      'localhost',
      'example.org.',
      'Example.org',
      '127.0.0.1',
      '1.2.3.4:80',
      '[::1]',
    ],
    ...[
      'https://example.org',
      'example.org/path',
      'example.org:0',
      'a*.example.org',
      'allow,setup',
    ],
    ...['none, example.org', 'user@example.org', '-a.example.org', 'ex\u0430mple.org', 'on'],
  ])('does not take %s', text => {
    expect(() => access(text)).toThrow(/^network: Write none, setup, allow, or hosts such as /);
  });

  it('an entry without a port is for 443 and 80, and a star for all names below', () => {
    const listed = (entry: string, text: string) => {
      const to = readDestination(text, 443);
      return to !== undefined && isListed([entry], to);
    };
    const yes = ['example.org', 'example.org:80', 'example.org:443'];
    expect(yes.map(to => listed('example.org', to))).toEqual([true, true, true]);
    expect(['a.example.org', 'a.b.example.org:80'].map(to => listed('*.example.org', to))).toEqual([
      true,
      true,
    ]);
    const no = ['example.org:8443', 'a.example.org', 'notexample.org', 'example.org.evil.com'];
    expect(no.map(to => listed('example.org', to))).toEqual([false, false, false, false]);
    expect(['example.org', 'aexample.org'].map(to => listed('*.example.org', to))).toEqual([
      false,
      false,
    ]);
    expect(['example.org', 'example.org:443'].map(to => listed('example.org:8443', to))).toEqual([
      false,
      false,
    ]);
  });
});

describe('the value of the setting network', () => {
  it.each([
    'none',
    'setup',
    'allow',
    ['registry.example.org'],
    ['allow', '*.example.org', 'example.org:8443'],
    ['xn--bcher-kva.example'],
  ])('takes %j', value => {
    expect(networkValue().safeParse(value).success).toBe(true);
  });

  it.each(['all', [[]], [['setup']], [['Example.org']], [['*.*.example.org']], [['a.*.org']]])(
    'refuses %j, and says what to write',
    value => {
      const { error } = networkValue().safeParse(value);
      expect(error?.issues[0]?.message).toContain('Write none, setup, allow, or hosts');
    },
  );

  it('lets the set-up alone reach hosts, unless it allows more', () => {
    expect(toNetworkAccess('allow')).toMatchObject({ commands: 'allow' });
    expect(toNetworkAccess(['a.example'])).toEqual({ commands: 'setup', hosts: ['a.example'] });
    expect(toNetworkAccess(['allow', 'a.example', '*.b.example'])).toEqual({
      commands: 'allow',
      hosts: ['a.example', '*.b.example'],
    });
  });
});

it.each([
  ['registry.example.org', true],
  ['a-b.example', true],
  ['example', false],
  ['1.2.3.4', false],
  ['example.org.', false],
  ['-a.example', false],
  [`${'a.'.repeat(130)}example`, false],
])('%s is a plain host: %s', (host, isPlain) => {
  expect(plainHost.test(host)).toBe(isPlain);
});
