import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/codes.ts';
import { findPrograms } from '../../src/process/programs.ts';
import { loadSkills, skillWarnings } from '../../src/skills/load.ts';
import { findUnready } from '../../src/skills/requirements.ts';
import { grantOf, type Skill } from '../../src/skills/skill.ts';
import { findBoundaryEnd } from '../../src/skills/skill-text.ts';
import { openGit } from '../../src/workspace/git/git.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import {
  openFolderFiles,
  openLocalFiles,
  type TrustedFiles,
} from '../../src/workspace/trusted/trusted-files.ts';
import { makeRepository } from '../doubles/repository.ts';
import { discard, makeFolder, root } from '../harness.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => discard(folder));

const photon = openShipped(root).skills;

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const loadAll = (...roots: string[]) =>
  loadSkills(roots, { photon, repository: openFolderFiles(folder) });

/** Every skill of the roots; the reason when one is left out. */
async function load(...roots: string[]): Promise<readonly Skill[]> {
  const { skills, leftOut } = await loadAll(...roots);
  const [bad] = leftOut;
  if (bad !== undefined) throw new PhotonError('SKILL_INVALID', bad.reason);
  return skills;
}

/** The one skill of `skills/x`, with this front matter. */
async function read(front: string, body = 'The kernel.\n'): Promise<Skill> {
  put('skills/x/SKILL.md', `---\n${front}\n---\n${body}`);
  const [skill] = await load('skills');
  if (skill === undefined) throw new Error('no skill');
  return skill;
}

async function refusal(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PhotonError)) throw error;
    expect(error.code).toBe('SKILL_INVALID');
    return error.message;
  }
  throw new Error('it was loaded');
}

const plain = 'name: x\ndescription: Does it.';

describe('the format of a SKILL.md', () => {
  it("takes the open keys and Photon's own, and leaves other programs theirs", async () => {
    const skill = await read(`name: x
description: |
  Does it,
  on two lines.
license: MIT
compatibility: Needs git
metadata:
  author: me
  version: 9.9.9
requires: { bins: [curl] }
allowed-tools: apply_patch, run_command
photon:
  version: "1.2.3"
  constraints: [Be brief.]
  requires: { tools: [grep], skills: ["y@^1.2", z] }
  guards: { paths: ["@tests", "lib/**"], maxFiles: 3 }
  budgets: { calls: 5 }
  interface:
    role: Somebody.
    steps: [One., Two.]`);
    expect(skill).toMatchObject({
      name: 'x',
      origin: 'repository',
      path: 'skills/x/SKILL.md',
      description: 'Does it, on two lines.',
      license: 'MIT',
      compatibility: 'Needs git',
      version: '1.2.3',
      allowedTools: ['apply_patch', 'run_command'],
      constraints: ['Be brief.'],
      requiredTools: ['grep'],
      requiredSkills: [
        { name: 'y', range: '^1.2' },
        { name: 'z', range: '' },
      ],
      guards: { paths: ['@tests', 'lib/**'], maxFiles: 3 },
      budgets: { calls: 5 },
    });
    expect(skill.interface).toMatchObject({
      role: 'Somebody.',
      steps: ['One.', 'Two.'],
      success: '',
    });
  });

  it.each<[string, string, readonly string[]]>([
    [
      'one line with spaces',
      'allowed-tools: apply_patch run_command',
      ['apply_patch', 'run_command'],
    ],
    [
      'one line with commas',
      'allowed-tools: apply_patch,run_command',
      ['apply_patch', 'run_command'],
    ],
    ['a list', 'allowed-tools: [apply_patch, run_command]', ['apply_patch', 'run_command']],
    ['with an underscore', 'allowed_tools: [grep]', ['grep']],
    ['in camel case', 'allowedTools: grep', ['grep']],
    ['as tools', 'tools: grep', ['grep']],
    ['as a map', 'tools: { grep: true, run_command: false }', ['grep']],
    [
      'with rules in parentheses',
      'allowed-tools: Bash(git add:*) grep',
      ['Bash(git add:*)', 'grep'],
    ],
    ['twice, in agreement', 'allowed-tools: a b\ntools: [b, a]', ['a', 'b']],
    ['not at all', 'license: MIT', []],
    ['empty', 'allowed-tools:', []],
  ])('reads the list of tools written %s', async (_name, line, tools) => {
    expect((await read(`${plain}\n${line}`)).allowedTools).toEqual(tools);
  });

  it('takes an interface that is one text with labels', async () => {
    const text =
      'photon:\n  interface: |\n    Input: a task.\n    Steps: find it; change it.\n    Success: it works.';
    expect((await read(`${plain}\n${text}`)).interface).toMatchObject({
      input: 'a task.',
      steps: ['find it', 'change it.'],
      success: 'it works.',
    });
  });

  it.each<[string, string, string]>([
    [
      'a name that is not the folder',
      'name: y\ndescription: d',
      "name: y must be the folder's name, x",
    ],
    ['a name with capitals', 'name: X\ndescription: d', 'name: use lower-case words joined by -'],
    ['no description', 'name: x', 'description: '],
    [
      'two lists that disagree',
      `${plain}\nallowed-tools: grep\ntools: run_command`,
      'tools: must name the same tools as allowed-tools',
    ],
    ['a list of numbers', `${plain}\nallowed-tools: [1]`, 'allowed-tools: expected names of tools'],
    [
      'a guard that is misspelt',
      `${plain}\nphoton: { guards: { path: [a] } }`,
      'photon.guards: there is no key "path" here',
    ],
    [
      'an unknown key of ours',
      `${plain}\nphoton: { constraint: [a] }`,
      'photon: there is no key "constraint" here',
    ],
    ['a version that is a number', `${plain}\nphoton: { version: 1.0 }`, 'photon.version: '],
    [
      'a version that is none',
      `${plain}\nphoton: { version: "new" }`,
      'photon.version: use a quoted semantic version',
    ],
    ['broken YAML', 'name: [', 'front matter: '],
    ['code of its own type', `${plain}\nx: !!js/function "function () {}"`, 'front matter: '],
    ['the same key twice', `${plain}\nname: x`, 'front matter: '],
  ])('refuses %s, naming file, key and what is expected', async (_name, front, says) => {
    const message = await refusal(() => read(front));
    expect(message).toMatch(/^skills\/x\/SKILL\.md(:\d+)?: /);
    expect(message).toContain(says);
  });
});

describe('hostile files are refused, and nothing is loaded', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x, x]',
    ...'bcdefghi'
      .split('')
      .map((c, i) => `${c}: &${c} [${Array(10).fill(`*${'abcdefghi'[i]}`).join(', ')}]`),
  ].join('\n');
  const deep = `x: ${'['.repeat(5000)}${']'.repeat(5000)}`;
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
    ['an empty file', file(''), 'front matter: expected --- as the first line'],
    ['a bomb of aliases', file(`---\n${plain}\n${bomb}\n---\n`), 'has more than 5000 values'],
    ['values without end', file(`---\n${plain}\nx: &x [*x]\n---\n`), 'front matter: '],
    ['values in themselves', file(`---\n${plain}\nx: &x { y: *x }\n---\n`), 'front matter: '],
    ['many levels', file(`---\n${plain}\n${deep}\n---\n`), 'levels'],
    [
      'JavaScript',
      file(`---js\n({ name: 'x', description: process.exit(7) })\n---\n`),
      'front matter in js',
    ],
    [
      'JavaScript by its long name',
      file(`---javascript\n({})\n---\n`),
      'front matter in javascript',
    ],
    ['CoffeeScript', file(`---coffee\nname: 'x'\n---\n`), 'front matter'],
    ['JSON', file(`---json\n{"name":"x"}\n---\n`), 'front matter in json'],
    ['another language', file(`---toml\nname = "x"\n---\n`), 'front matter'],
    ['a NUL', file(`---\nname: x\ndescription: "d\0"\n---\n`), 'contains a NUL character'],
    [
      'a zero-width space',
      file(`---\nname: x\ndescription: d\u200bd\n---\n`),
      'SKILL.md:3:15: contains the hidden character U+200B',
    ],
    ['tag characters', file(`---\nname: x\ndescription: d\u{e0041}\n---\n`), 'U+E0041'],
    ['a bidi control', file(`---\nname: x\ndescription: d\u202ed\n---\n`), 'U+202E'],
    [
      'what is not UTF-8',
      file(Buffer.from(`---\nname: x\ndescription: \xff\xfe\n---\n`, 'latin1')),
      'is not UTF-8',
    ],
    [
      'UTF-16',
      file(Buffer.from(`\ufeff---\n${plain}\n---\n`, 'utf16le')),
      'skills/x/SKILL.md:1:1: is UTF-16; save the file as UTF-8',
    ],
    [
      'front matter after a blank line',
      file(`\n---\n${plain}\n---\n`),
      'SKILL.md:1: front matter: expected --- as the first line',
    ],
    [
      'a closing line with text in it',
      file(`---\n${plain}\n--- constraints: [x]\nkernel\n`),
      'SKILL.md:4: front matter: the line that closes front matter holds more than ---',
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

describe('what skills require', () => {
  const tools = new Set(['grep']);
  const unready = async (files: Record<string, string>) => {
    for (const [name, requires] of Object.entries(files))
      put(
        `skills/${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: d\nphoton: ${requires}\n---\n`,
      );
    return Object.fromEntries(await findUnready(await load('skills'), tools));
  };

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['what is there', { a: '{ requires: { tools: [grep], skills: [b] } }', b: '{}' }, {}],
    [
      'a tool that is not',
      { a: '{ requires: { tools: [teleport] } }' },
      { a: 'a requires tools that do not exist: teleport' },
    ],
    [
      'a skill that is not',
      { a: '{ requires: { skills: [b] } }' },
      { a: 'a requires b, which is not on the allowlist' },
    ],
    ['itself', { a: '{ requires: { skills: [a] } }' }, { a: 'skills require each other: a > a' }],
    [
      'each other',
      {
        a: '{ requires: { skills: [b] } }',
        b: '{ requires: { skills: [c] } }',
        c: '{ requires: { skills: [a] } }',
      },
      {
        a: 'skills require each other: a > b > c > a',
        b: 'skills require each other: b > c > a > b',
        c: 'skills require each other: c > a > b > c',
      },
    ],
    [
      'a version that is there',
      { a: '{ requires: { skills: ["b@^1.2"] } }', b: '{ version: "1.4.0" }' },
      {},
    ],
    [
      'a version that is too old',
      { a: '{ requires: { skills: ["b@^1.2"] } }', b: '{ version: "1.1.9" }' },
      { a: 'a requires b@^1.2, but the allowlist has 1.1.9' },
    ],
    [
      'a version that is too new',
      { a: '{ requires: { skills: ["b@>=1 <2"] } }', b: '{ version: "2.0.0" }' },
      { a: 'a requires b@>=1 <2, but the allowlist has 2.0.0' },
    ],
    [
      'a version of none',
      { a: '{ requires: { skills: ["b@*"] } }', b: '{}' },
      { a: 'a requires b@*, but the allowlist has one without a version' },
    ],
    [
      'what is far down',
      { a: '{ requires: { skills: [b] } }', b: '{ requires: { tools: [x] } }' },
      { a: 'b requires tools that do not exist: x', b: 'b requires tools that do not exist: x' },
    ],
  ])('%s', async (_name, files, expected) => {
    expect(await unready(files)).toEqual(expected);
  });

  it('a text that is no range makes its skill unusable, and no other', async () => {
    expect(
      await unready({ a: '{ requires: { skills: ["b@soon"] } }', b: '{ version: "1.0.0" }' }),
    ).toEqual({
      a: 'a requires b@soon: expected a version range, such as ^1.2',
    });
  });
});

describe('keys of the top level', () => {
  it.each(['constraints: [Be brief.]', 'photon:\n  constraints: [Be brief.]'])(
    '%s',
    async front => {
      expect((await read(`${plain}\n${front}`)).constraints).toEqual(['Be brief.']);
    },
  );

  it('count like those under photon, with interface, requirements and version', async () => {
    const skill = await read(
      `${plain}\ntools: [grep]\nversion: "1.0.0"\nrequires: { tools: [grep] }\ninterface: { role: Somebody. }`,
    );
    expect(skill).toMatchObject({
      allowedTools: ['grep'],
      version: '1.0.0',
      requiredTools: ['grep'],
      ignoredKeys: [],
    });
    expect(skill.interface.role).toBe('Somebody.');
  });

  it('may repeat what photon says, and may not contradict it', async () => {
    const both = (text: string) =>
      `${plain}\nconstraints: [${text}]\nphoton: { constraints: [A.] }`;
    expect((await read(both('A.'))).constraints).toEqual(['A.']);
    expect(await refusal(() => read(both('B.')))).toBe(
      'skills/x/SKILL.md: constraints: differs from photon.constraints; state it in one place',
    );
  });

  it('of another shape, and unknown ones, are named', async () => {
    const skill = await read(`${plain}\nrequires: { bins: [curl] }\nmodel: opus\ncolor: red`);
    expect(skill.ignoredKeys).toEqual(['model', 'color', 'requires']);
    const { skills, leftOut } = await loadAll('skills');
    expect(skillWarnings({ skills, leftOut }, ['grep'])).toEqual([
      'Skill x: Photon does not read model, color, requires.',
    ]);
  });
});

it('tools of another shape belong to another program, and grant nothing', async () => {
  const skill = await read(`${plain}\ntools: [{ name: grep }]`);
  expect(skill).toMatchObject({ allowedTools: [], ignoredKeys: ['tools'] });
  expect(
    (await read(`${plain}\ntools: { grep: yes please }\nallowed-tools: undo`)).allowedTools,
  ).toEqual(['undo']);
});

it('a required tool may have the name that other agents use', async () => {
  await read(`${plain}\nrequires: { tools: [list_files, search_text, Bash] }`);
  const { skills } = await loadAll('skills');
  const tools = ['list_project_files', 'grep', 'run_command'];
  expect(await findUnready(skills, new Set(tools))).toEqual(new Map());
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
    put('skills/broken/SKILL.md', '---\nname: other\ndescription: Does it.\n---\n');
    put('more/a_b/SKILL.md', '---\nname: a_b\ndescription: Does it again.\n---\n');
    const loaded = await loadAll('skills', 'more');
    expect(loaded.skills.map(s => s.path)).toEqual(['skills/a_b/SKILL.md']);
    expect(skillWarnings(loaded, [])).toEqual([
      "Skill broken was left out: skills/broken/SKILL.md: name: other must be the folder's name, broken",
      'Skill a_b was left out: more/a_b/SKILL.md: name: a_b is taken by skills/a_b/SKILL.md',
    ]);
  });
});

describe('the tools of a list', () => {
  const tools = ['grep', 'list_project_files', 'read_code_block', 'apply_patch', 'run_command'];

  it.each<[string, readonly string[], readonly (readonly string[])[] | undefined]>([
    ['list_files search_text', ['list_project_files', 'grep'], undefined],
    [
      'Read, Grep, Glob, Edit, Write',
      ['read_code_block', 'grep', 'list_project_files', 'apply_patch'],
      undefined,
    ],
    ['Bash(git:*)', ['run_command'], [['git']]],
    [
      'Bash(npm run test:*), Bash(git log *)',
      ['run_command'],
      [
        ['npm', 'run', 'test'],
        ['git', 'log'],
      ],
    ],
    ['Bash(git:*) Bash', ['run_command'], undefined],
    ['Bash(*)', ['run_command'], undefined],
    ['Bash(git $X:*) Edit(docs/**) WebFetch', [], undefined],
  ])('%s', async (list, expected, words) => {
    const grant = grantOf(
      await read(`${plain}\ninterface: { output: A list. }\nallowed-tools: "${list}"`),
      new Set(tools),
    );
    expect(grant.tools).toEqual(expected);
    expect(grant.commands?.map(c => c.words)).toEqual(words);
  });

  it('of a skill without an interface are granted, with a warning', async () => {
    const skill = await read(`${plain}\nallowed-tools: grep`);
    expect(grantOf(skill, new Set(tools)).tools).toEqual(['grep']);
    expect(skillWarnings({ skills: [skill], leftOut: [] }, tools)).toEqual([
      'Skill x: it has no interface, so role and plan are what its text says; the tools that it names are granted.',
    ]);
  });

  it('that grant nothing are named', async () => {
    await read(`${plain}\ninterface: { output: A list. }\nallowed-tools: grep Task Edit(docs/**)`);
    expect(skillWarnings(await loadAll('skills'), tools)).toEqual([
      'Skill x: its interface does not state role, input, steps, success, abstain.',
      'Skill x: allowed-tools names Task, Edit(docs/**), which grants nothing.',
    ]);
  });
});

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
