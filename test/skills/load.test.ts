/** Skills are loaded from the allowlist, and hostile files are refused. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPrograms } from '../../src/process/programs.ts';
import { loadSkills, skillWarnings } from '../../src/skills/load.ts';
import { findBoundaryEnd } from '../../src/skills/skill-text.ts';
import { openGit } from '../../src/workspace/git/git.ts';
import {
  openFolderFiles,
  openLocalFiles,
  type TrustedFiles,
} from '../../src/workspace/trusted/trusted-files.ts';
import { makeRepository } from '../doubles/repository.ts';
import { root } from '../harness.ts';
import {
  folder,
  load,
  loadAll,
  photon,
  plain,
  put,
  refusal,
  useSkillFolder,
} from './skill-files.ts';

useSkillFolder();

it('a commit is read, whatever lies in the work tree', async () => {
  const checkout = join(folder, 'repo');
  makeRepository(checkout, { files: { 'skills/x/SKILL.md': `---\n${plain}\n---\n` } });
  writeFileSync(join(checkout, 'skills/x/SKILL.md'), 'not a skill');
  const git = await openGit(checkout, {
    scratch: join(folder),
    programs: findPrograms(process.env.PATH ?? '', []),
  });
  const repository = openLocalFiles(git, { ref: 'main', commit: git.commit });
  expect((await loadSkills(['skills'], { photon, repository })).skills.map(s => s.name)).toEqual([
    'x',
  ]);
  git.close();
});

it('the example of the page on skills is a skill', async () => {
  const page = readFileSync(join(root, 'docs/skills.md'), 'utf8');
  const text = /```markdown\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  put('skills/house-style/SKILL.md', text);
  const [skill] = await load('skills');
  expect(skill).toMatchObject({
    name: 'house-style',
    allowedTools: ['apply_patch', 'undo'],
    requiredSkills: [{ name: 'code-scan', range: '^1.2' }],
    guards: { paths: ['src/**', '@tests'], suppress: false },
    budgets: { calls: 20, rounds: 10 },
    interface: { success: 'The style check is silent and verify passes.' },
  });
});

describe('hostile files are refused, and nothing is loaded', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x, x]',
    ...'bcdefghi'
      .split('')
      .map((c, i) => `${c}: &${c} [${Array(10).fill(`*${'abcdefghi'[i]}`).join(', ')}]`),
  ].join('\n');
  const file = (text: string | Buffer) => () => {
    put('skills/x/SKILL.md', text);
    return load('skills');
  };
  it.each<[string, () => Promise<unknown>, string]>([
    [
      '5 MB',
      file(`---\n${plain}\n---\n${'x'.repeat(5_000_000)}`),
      'file: 5000038 bytes; at most 262144',
    ],
    [
      'front matter without end',
      file(`---\n${plain}\n${'# x\n'.repeat(20_000)}`),
      'expected a closing ---',
    ],
    ['no front matter', file('# x\n'), 'front matter: expected --- as the first line'],
    ['a bomb of aliases', file(`---\n${plain}\n${bomb}\n---\n`), 'has more than 5000 values'],
    ['a NUL', file(`---\nname: x\ndescription: "d\0"\n---\n`), 'contains a NUL character'],
    [
      'a zero-width space',
      file(`---\nname: x\ndescription: d\u200bd\n---\n`),
      'SKILL.md:3:15: contains the hidden character U+200B',
    ],
    [
      'what is not UTF-8',
      file(Buffer.from(`---\nname: x\ndescription: \xff\xfe\n---\n`, 'latin1')),
      'is not UTF-8',
    ],
  ])('%s', async (_name, work, says) => {
    expect(await refusal(work)).toContain(says);
  });

  it('a mark of the byte order is no hidden text', async () => {
    put('skills/x/SKILL.md', `\ufeff---\n${plain}\n---\nkernel\n`);
    expect(await load('skills')).toHaveLength(1);
  });
});

describe('the allowlist', () => {
  const skill = (path: string) =>
    put(`${path}/SKILL.md`, `---\nname: ${path.split('/').at(-1)}\ndescription: d\n---\n`);
  const names = async (...roots: string[]) => (await load(...roots)).map(s => s.name).sort();

  it('takes folders, patterns in them, and bundled skills by name or all together', async () => {
    for (const p of ['tools/a', 'tools/py-one', 'tools/py-two', 'other/deep/b']) skill(p);
    expect(await names('tools')).toEqual(['a', 'py-one', 'py-two']);
    expect(await names('tools/', 'tools/*')).toEqual(['a', 'py-one', 'py-two']);
    expect(await names('tools/py-*')).toEqual(['py-one', 'py-two']);
    expect(await names('tools/a', 'other/deep/b')).toEqual(['a', 'b']);
    expect(await names('photon:code-modify', 'tools/a')).toEqual(['a', 'code-modify']);
    expect((await names('photon:*')).length).toBeGreaterThanOrEqual(12);
    expect(await names('photon:test-*')).toEqual(['test-repair', 'test-writing']);
  });

  it.each([
    ['photon:flight-booking', 'contains no skill'],
    ['photon:../skills', 'contains no skill'],
    ['missing', 'contains no skill'],
    ['../skills', 'is outside the repository'],
    ['a/../../b', 'is outside the repository'],
    ['/etc', 'is outside the repository'],
    ['~/skills', 'is outside the repository'],
    ['.', 'is outside the repository'],
    ['a\\b', 'is outside the repository'],
    ['*/skills', 'only the last part may be a pattern'],
  ])('%s is refused', async (rootName, says) => {
    skill('skills/x');
    expect(await refusal(() => load(rootName))).toContain(says);
  });

  it('two skills of one name are an error that names both', async () => {
    skill('one/same');
    skill('two/same');
    expect(await refusal(() => load('one', 'two'))).toContain(
      'two/same/SKILL.md: name: same is taken by one/same/SKILL.md',
    );
    skill('own/code-modify');
    expect(await refusal(() => load('photon:*', 'own'))).toContain(
      'is taken by photon:code-modify/SKILL.md',
    );
  });

  it.each<[string, () => void, string]>([
    ['a linked folder of skills', () => symlinkSync('real', join(folder, 'skills')), 'skills'],
    ['a linked folder above', () => symlinkSync('real', join(folder, 'way')), 'way/skills'],
    [
      'a linked skill',
      () => {
        mkdirSync(join(folder, 'skills'));
        symlinkSync('../real/x', join(folder, 'skills/x'));
      },
      'skills',
    ],
    [
      'a linked SKILL.md',
      () => {
        mkdirSync(join(folder, 'skills/x'), { recursive: true });
        symlinkSync('../../real/x/SKILL.md', join(folder, 'skills/x/SKILL.md'));
      },
      'skills',
    ],
    [
      'a link to a secret in a skill',
      () => {
        skill('skills/x');
        mkdirSync(join(folder, 'skills/x/references'));
        symlinkSync('/etc/passwd', join(folder, 'skills/x/references/a.md'));
      },
      'skills',
    ],
  ])('%s is refused, in the work tree and in a commit', async (name, make, rootName) => {
    skill('real/x');
    skill('real/skills/x');
    make();
    // a link in one skill leaves out that skill alone
    const isOne = name.endsWith('skill') || name.endsWith('SKILL.md');
    if (isOne) skill('skills/y');
    const check = async (repository: TrustedFiles) => {
      const source = { photon, repository };
      if (!isOne) {
        expect(await refusal(() => loadSkills([rootName], source))).toContain('is a link');
        return;
      }
      const { skills, leftOut } = await loadSkills([rootName], source);
      expect(skills.map(s => s.name)).toEqual(['y']);
      expect(leftOut).toMatchObject([{ name: 'x', path: 'skills/x/SKILL.md' }]);
      expect(leftOut[0]?.reason).toContain('is a link');
    };
    await check(openFolderFiles(folder));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@e', ...args], {
        cwd: folder,
        stdio: 'pipe',
      });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'x');
    const opened = await openGit(folder, {
      scratch: join(folder, '.git/scratch'),
      programs: findPrograms(process.env.PATH ?? '', []),
    });
    const repository = openLocalFiles(opened, { ref: 'main', commit: opened.commit });
    await check(repository);
    opened.close();
  });
});

describe('of a body no byte is read before the activation', () => {
  /** Files that note how many of their bytes were asked for. */
  function counting(files: TrustedFiles) {
    const asked = { bytes: 0, reads: 0 };
    const head: TrustedFiles['head'] = async (path, maxBytes, isEnough) => {
      const found = await files.head(path, maxBytes, isEnough);
      asked.bytes += found?.bytes.length ?? 0;
      return found;
    };
    const read: TrustedFiles['read'] = path => {
      asked.reads += 1;
      return files.read(path);
    };
    return { asked, files: { ...files, head, read } };
  }

  it('a body of 200 KB that is no text at all does not show at the start', async () => {
    const body = Buffer.alloc(200_000, 0xff);
    put('skills/x/SKILL.md', Buffer.concat([Buffer.from(`---\n${plain}\n---\n`), body]));
    const { asked, files } = counting(openFolderFiles(folder));
    const { skills } = await loadSkills(['skills'], { photon, repository: files });
    expect(skills).toHaveLength(1);
    expect(asked).toEqual({ bytes: 512, reads: 0 });
  });

  it('not of the shipped ones either', async () => {
    const { asked, files } = counting(photon);
    const { skills } = await loadSkills(['photon:*'], { photon: files, repository: files });
    expect(asked.reads).toBe(0);
    // a block of 512 bytes is what a front matter may be passed by
    let boundaries = 0;
    for (const { folder: at } of skills) {
      const bytes = (await photon.read(`${at}/SKILL.md`)) ?? new Uint8Array();
      boundaries += findBoundaryEnd(bytes) ?? 0;
    }
    expect(asked.bytes).toBeLessThan(boundaries + skills.length * 512);
  });
});

describe('a skill that cannot be loaded', () => {
  it('has a reason of one line, however much is wrong', async () => {
    put('skills/x/SKILL.md', `---\nname: X\nphoton: { ${'k'.repeat(2000)}: 1 }\n---\n`);
    const { leftOut } = await loadAll('skills');
    expect(leftOut[0]?.reason).toMatch(
      /^skills\/x\/SKILL\.md: name: .*; skills\/x\/SKILL\.md: desc/,
    );
    expect(leftOut[0]?.reason.length).toBe(500);
  });

  it('is left out with its reason, and the others are there', async () => {
    put('skills/a_b/SKILL.md', '---\nname: a_b\ndescription: Does it.\n---\n');
    put('skills/broken/SKILL.md', '---\nname: Broken\ndescription: Does it.\n---\n');
    put('more/a_b/SKILL.md', '---\nname: a_b\ndescription: Does it again.\n---\n');
    const loaded = await loadAll('skills', 'more');
    expect(loaded.skills.map(s => s.path)).toEqual(['skills/a_b/SKILL.md']);
    expect(skillWarnings(loaded, [])).toEqual([
      'Skill broken was left out: skills/broken/SKILL.md: name: use lower-case words joined by - or _',
      'Skill a_b was left out: more/a_b/SKILL.md: name: a_b is taken by skills/a_b/SKILL.md',
    ]);
  });
});
