/** The setting network: words, hosts, and what is no host. */
import { describe, expect, it } from 'vitest';
import { isListed, readDestination } from '../../src/process/egress/rules.ts';
import {
  networkValue,
  plainHost,
  requireServices,
  sandboxSettings,
  toNetworkAccess,
} from '../../src/settings/sandbox.ts';

const { network } = sandboxSettings;
const access = (text: string) => network.type.convert(network.type.parse(text, 'network'));

describe('the setting network', () => {
  it('takes a word, or hosts for the set-up command or for all commands', () => {
    expect(access('none')).toMatchObject({ commands: 'none', hosts: undefined });
    expect(access('allow')).toMatchObject({ commands: 'allow', hosts: undefined });
    const hosts = ['packages.example.com', '*.example.org:8443'];
    expect(access(hosts.join(', '))).toMatchObject({ commands: 'setup', hosts });
    expect(access(`setup, ${hosts.join(',')}`)).toMatchObject({ commands: 'setup', hosts });
    expect(access(`allow, ${hosts.join(',')}`)).toMatchObject({ commands: 'allow', hosts });
    expect(network.weakens(hosts)).toBe(true);
  });

  it('has the word services, alone or with others', () => {
    const none = { commands: 'none', hosts: undefined, services: true };
    expect(access('services')).toEqual(none);
    expect(access('setup, services')).toEqual({ ...none, commands: 'setup' });
    expect(access('a.example, services')).toMatchObject({ commands: 'setup', services: true });
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
    expect(() => access(text)).toThrow(
      /^network: Write none, setup, allow, services, or hosts such as /,
    );
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
      expect(error?.issues[0]?.message).toContain('Write none, setup, allow, services, or hosts');
    },
  );

  it('lets the set-up alone reach hosts, unless it allows more', () => {
    expect(toNetworkAccess('allow')).toMatchObject({ commands: 'allow' });
    expect(toNetworkAccess(['a.example'])).toMatchObject({
      commands: 'setup',
      hosts: ['a.example'],
    });
    expect(toNetworkAccess(['allow', 'a.example', '*.b.example'])).toMatchObject({
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

describe('the setting services', () => {
  const { services } = sandboxSettings;

  it.each(['5432', '5432, redis:6379', 'a:8080,b:8080'])('takes %s', text => {
    expect(services.type.parse(text, 'services')).toHaveLength(text.split(',').length);
  });

  it.each(['0', '80', '70000', 'a.b:8080', '127.0.0.1:8080', '8080, 8080', ':8080', 'a:'])(
    'refuses %s',
    text => {
      expect(() => services.type.parse(text, 'services')).toThrow(/^services: /);
    },
  );

  it('and the word in network need each other', () => {
    const on = toNetworkAccess('services');
    expect(() => requireServices(on, [])).toThrow('needs the ports');
    expect(() => requireServices(toNetworkAccess('setup'), ['80'])).toThrow('network: setup, serv');
    expect(requireServices(on, ['80'])).toBeUndefined();
  });
});
