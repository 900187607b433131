/** What a release is made of: its notes, its workflow, the pins of actions, and the files for those who take part. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { discard, makeFolder, root } from './harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the notes of a release', () => {
  const notesOf = (version: string) => {
    const run = spawnSync(process.execPath, [join(root, '.ci', 'release-notes.ts'), version], {
      encoding: 'utf8',
      env: { ...process.env, PHOTON_RELEASE_ROOT: folder },
    });
    return { status: run.status, out: run.stdout, err: run.stderr };
  };
  writeFileSync(join(folder, 'package.json'), '{"version":"2.1.0"}');
  const changelog = (text: string) => writeFileSync(join(folder, 'CHANGELOG.md'), text);

  it('are the section of its version, and nothing of another', () => {
    changelog(
      '# Changelog\n\n## 2.1.0 (2026-12-01)\n\n- New.\n\n### Fixed\n\n- It.\n\n## 2.0.0\n\n- Old.\n',
    );
    expect(notesOf('2.1.0')).toEqual({ status: 0, out: '- New.\n\n### Fixed\n\n- It.\n', err: '' });
  });

  it.each([
    ['2.1', '"2.1" is no version such as 2.1.0.'],
    ['v2.1.0', '"v2.1.0" is no version such as 2.1.0.'],
    ['2.2.0', 'package.json names 2.1.0, not 2.2.0. Change it and commit it first.'],
    ['2.1.0', 'CHANGELOG.md has no section "## 2.1.0".'],
  ])('stop the release of %s: %s', (version, reason) => {
    changelog('# Changelog\n\n## Unreleased\n\n- New.\n\n## 2.1.0\n');
    expect(notesOf(version)).toMatchObject({ status: 1, out: '' });
    expect(notesOf(version).err).toContain(reason);
  });
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

it('a job of the release that may write runs no code of the repository', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as {
    jobs: Readonly<Record<string, Job>>;
  };
  const writes = Object.entries(jobs).filter(([, job]) =>
    Object.values(job.permissions ?? {}).includes('write'),
  );
  expect(writes.map(([name]) => name)).toEqual(['publish', 'package']);
  for (const [name, { steps }] of writes) {
    const used = steps.map(step => step.uses ?? '').join();
    expect(used, name).not.toMatch(/checkout|\.\//);
    const run = steps.map(step => step.run ?? '').join('\n');
    expect(run, name).not.toMatch(/npm (?:ci|run|test|install)|\bnode |bash |\.ci\//);
  }
});

describe('actions of others', () => {
  const known = JSON.parse(read('test/fixtures/pins.json')) as Readonly<
    Record<string, { readonly version: string; readonly lookedUp: string | null }>
  >;
  const unknown = Object.keys(known).filter(pin => known[pin]?.lookedUp === null);
  const texts = ['.github/workflows/*.yml', 'docs/*.md', 'examples/**/*.yml', 'src/report/*.ts']
    .flatMap(pattern => globSync(pattern, { cwd: root }))
    .concat('README.md')
    .map(read);

  it(`have a commit that was looked up, but for: ${unknown.join(', ') || 'none'}`, () => {
    const used = texts.flatMap(text => [
      ...text.matchAll(/([\w./-]+@[0-9a-f]{40})(?: # (v\d+\.\d+\.\d+))?/g),
    ]);
    expect(used.length).toBeGreaterThan(10);
    for (const [, pin = '', version] of used) {
      expect(known, 'add it to test/fixtures/pins.json').toHaveProperty([pin]);
      expect(version, pin).toBe(known[pin]?.version);
    }
    const named = new Set(used.map(([, pin]) => pin));
    expect(
      Object.keys(known).filter(pin => !named.has(pin)),
      'no longer used',
    ).toEqual([]);
  });
});

describe('the files for those who take part', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).sort();

  it.each(forms.filter(path => !path.endsWith('config.yml')))('%s is a form', path => {
    const form = parse(read(path)) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
    };
    expect(form.name).not.toBe('');
    expect(form.description).not.toBe('');
    const fields = form.body.filter(field => field.type !== 'markdown');
    for (const { type, attributes } of fields) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      expect(attributes.label).toMatch(/\S/);
    }
    const ids = fields.map(field => field.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\w-]+$/);
  });

  it('has owners for paths that exist', () => {
    const paths = read('.github/CODEOWNERS')
      .split('\n')
      .flatMap(line => /^(\/\S+)\s+@/.exec(line)?.[1] ?? []);
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([]);
  });
});
