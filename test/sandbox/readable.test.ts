import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import {
  findReadable,
  homeFolders,
  type ReadableOptions,
  systemFolders,
} from '../../src/sandbox/readable.ts';
import { useTestFolder } from '../doubles/test-folder.ts';
import { root } from '../harness.ts';

const { at, make, write } = useTestFolder();

/** The readable parts with a home, a checkout and a node in the folder of the test. */
const find = (more: Partial<ReadableOptions> = {}) =>
  findReadable({
    home: make('home'),
    workspacePath: make('work/own/own'),
    node: write('node/bin/node'),
    hidePaths: [make('work/_temp')],
    readPaths: [],
    env: {},
    ...more,
  });

const shown = (more: Partial<ReadableOptions> = {}) =>
  find(more)
    .parts.map(p => p.at)
    .filter(p => p.startsWith(at()))
    .map(p => p.slice(at().length + 1));

describe('the parts of a machine that commands can read', () => {
  it('include the Node that runs Photon, and nothing else of its folder', () => {
    write('other/secret');
    expect(shown()).toEqual(['node']);
  });

  it.each([
    ['a folder of programs, with what lies beside it', 'tools/x/bin', 'tools/x'],
    ['a folder that is not called bin, alone', 'tools/scripts', 'tools/scripts'],
    ['all of node_modules', 'p/node_modules/.bin', 'p/node_modules'],
    ['no more of a folder of which only parts are listed', 'home/.local/bin', 'home/.local/bin'],
    ['the same in another home', 'other/.cargo/bin', 'other/.cargo/bin'],
    ['no more where the folder above holds the home', 'bin', 'bin'],
  ])('of the PATH: %s', (_what, entry, part) => {
    make(entry);
    expect(shown({ env: { PATH: `/nowhere:relative:${at(entry)}` } })).toContain(part);
  });

  it.each([
    ['the home', 'home'],
    ['a folder above the home', ''],
    ['a folder above the checkout', 'work'],
    ["the runner's temporary folder", 'work/_temp'],
    ["the runner's own folder", 'runner'],
    ['a link to the home', 'link'],
  ])('never is %s, whatever names it', (_what, name) => {
    write('runner/.credentials');
    make('home');
    symlinkSync('home', at('link'));
    const path = join(at(), name);
    const env = { PATH: `${path}:${path}/bin`, GOROOT: path, JAVA_HOME: path, PYTHONPATH: path };
    make(name, 'bin');
    expect(shown({ env })).not.toContain(name);
    const error = (() => {
      try {
        find({ readPaths: [path] });
        return undefined;
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(PhotonError);
    expect((error as PhotonError).code).toBe('SETTING_INVALID');
  });

  it('include toolchain variables, for some only the parts without credentials', () => {
    write('rust/credentials.toml');
    make('rust/bin');
    make('gopath/src/other');
    make('gopath/pkg');
    make('sdk');
    const env = { CARGO_HOME: at('rust'), GOPATH: at('gopath'), ANDROID_HOME: at('sdk') };
    expect(shown({ env: { ...env, AWS_KEYS: make('keys') } }).sort()).toEqual(
      ['gopath/pkg', 'node', 'rust/bin', 'sdk'].sort(),
    );
  });

  it('include the listed part of a cache that is a link, at both of its paths', () => {
    write('disk/pip/wheel');
    write('disk/token');
    make('home');
    symlinkSync(at('disk'), at('home/.cache'));
    expect(shown()).toEqual(expect.arrayContaining(['home/.cache/pip']));
    expect(shown().join()).not.toMatch(/disk$|\.cache$|token/);
  });

  it('exclude the data of services in the folders of Homebrew and MacPorts', () => {
    const data = ['/usr/local/var', '/opt/homebrew/var', '/opt/local/var'];
    expect(find().hidden).toEqual(expect.arrayContaining(data));
  });

  it('exclude credentials in tool folders, and a runner inside one', () => {
    write('sdk/.git/config');
    write('sdk/.npmrc');
    write('sdk/runner/.runner');
    const temp = make('sdk/runner/_work/_temp');
    const { hidden } = find({ env: { ANDROID_HOME: at('sdk') }, hidePaths: [temp] });
    expect(find({ env: { ANDROID_HOME: at('sdk') } }).hidden).toEqual(
      expect.arrayContaining([at('sdk/.git/config'), at('sdk/.npmrc')]),
    );
    expect(hidden).toContain(at('sdk/runner'));
  });

  it('exclude other checkouts next to this one', () => {
    make('work/own/other/.git');
    expect(find().hidden).toContain(at('work/own/other'));
  });
});

it('a file in /etc that only its owner can read is hidden when this user can read it', () => {
  const path = write('private');
  chmodSync(path, 0o600);
  const { hidden } = find();
  const shadow = hidden.includes('/etc/shadow');
  expect(shadow).toBe(process.getuid?.() === 0);
});

it('docs/sandbox.md lists everything that commands can read', () => {
  const page = readFileSync(join(root, 'docs', 'sandbox.md'), 'utf8');
  const missing = [...systemFolders, ...homeFolders.map(name => `~/${name}`)].filter(
    name => !page.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});
