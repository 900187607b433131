import { describe, expect, it } from 'vitest';
import { openProjectFolder } from '../../../src/ecosystems/shared/project-files.ts';
import { findSign, plainRow } from '../../../src/ecosystems/shared/tool-row.ts';

const folder = (files: Readonly<Record<string, string>>) =>
  openProjectFolder(
    {
      paths: Object.keys(files),
      has: path => Object.hasOwn(files, path),
      read: async path => files[path],
    },
    '',
  );

describe('a sign', () => {
  it('is a file, a pattern of paths, or a pattern of a text', async () => {
    const project = folder({
      'pom.xml': '<a/>',
      'x/b.spec.rb': '',
      'c.toml': '[tool]\nname = "x"\n',
    });
    expect(await findSign(project, ['none', 'pom.xml'])).toBe('pom.xml');
    expect(await findSign(project, [/_spec/, /\.spec\.rb$/])).toBe('x/b.spec.rb');
    expect(await findSign(project, [['c.toml', /\[tool\]/, /name/]])).toBe('c.toml');
    expect(await findSign(project, [['c.toml', /name/, /\[tool\]/]])).toBeUndefined();
  });
});

describe('a row', () => {
  const row = plainRow({
    tool: 'maven',
    ecosystem: 'Java',
    shownBy: 'pom.xml',
    signs: ['pom.xml'],
    also: [/\.java$/],
    unless: ['build.gradle'],
    command: 'mvn test',
    commands: { mvnw: './mvnw test' },
    setups: { 'lock.xml': 'mvn install' },
  });

  it('gives its commands, those of a wrapper or a lock file first', async () => {
    const files = { 'pom.xml': '', 'A.java': '' };
    expect(await row.find(folder(files))).toEqual({
      command: 'mvn test',
      setup: '',
      because: 'pom.xml',
    });
    expect(await row.find(folder({ ...files, mvnw: '', 'lock.xml': '' }))).toMatchObject({
      command: './mvnw test',
      setup: 'mvn install',
    });
  });

  it.each([
    [{ 'A.java': '' }],
    [{ 'pom.xml': '' }],
    [{ 'pom.xml': '', 'A.java': '', 'build.gradle': '' }],
  ])('is not shown by %j', async files => expect(await row.find(folder(files))).toBeUndefined());
});
