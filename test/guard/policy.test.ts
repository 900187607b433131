import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/codes.ts';
import { looserThan, policyFor } from '../../src/guard/constitution.ts';
import { parseFrontMatter } from '../../src/guard/front-matter.ts';
import { withoutGeneratedSections } from '../../src/guard/generated-sections.ts';
import { lineOfKey } from '../../src/guard/line-of-key.ts';
import {
  limitsSchema,
  parseConstitution,
  parseFolderPolicy,
} from '../../src/guard/parse-constitution.ts';
import { isGitFolder, normalisePath } from '../../src/guard/paths.ts';
import { resolveConstitution } from '../../src/guard/resolve-constitution.ts';
import { findSecret, redactSecrets, secretForms } from '../../src/guard/secrets.ts';
import { pathMatcher } from '../../src/path-patterns.ts';
import { root } from '../harness.ts';

const text = readFileSync(join(root, 'constitution', 'photon.md'), 'utf8');
const policy = parseConstitution(text, 'photon.md');
const at = (path: string, front: string, prose = '') => ({
  path,
  text: `---\n${front}\n---\n${prose}`,
});

async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PhotonError) return `${error.code}: ${error.message}`;
    return `plain: ${(error as Error).message}`;
  }
  return 'accepted';
}

describe('the shipped constitution', () => {
  it.each([
    [
      'of another version',
      text.replace('version: "2.0"', 'version: "12"'),
      'CONSTITUTION_VERSION: photon.md: version "12"',
    ],
    [
      'without a limit',
      text.replace('  read_lines: 500\n', ''),
      'CONSTITUTION_INVALID: photon.md:3: limits.read_lines: ',
    ],
    [
      'without a rule',
      text.replace('  STALE_READ: abstain\n', ''),
      'CONSTITUTION_INVALID: photon.md:14: rules.STALE_READ: ',
    ],
    [
      'with two mistakes',
      text.replace('read_lines: 500', 'read_lines: -1').replace('repairs: 3', 'repairs: x'),
      'photon.md:7: limits.repairs: ',
    ],
    [
      'with a limit that is no number',
      text.replace('read_lines: 500', 'read_lines: 1.5'),
      'photon.md:4: limits.read_lines: ',
    ],
  ])('%s is refused', async (_name, changed, says) => {
    expect(await refusal(() => parseConstitution(changed, 'photon.md'))).toContain(says);
  });

  it('tells two mistakes on two lines', async () => {
    const changed = text
      .replace('read_lines: 500', 'read_lines: -1')
      .replace('repairs: 3', 'repairs: x');
    expect((await refusal(() => parseConstitution(changed, 'p'))).split('\n')).toHaveLength(2);
  });

  it('has prose that begins with its title, and no folders', () => {
    expect(policy.prose.startsWith('# Constitution of Photon')).toBe(true);
    expect(policy.prose).toBe(policy.prose.trim());
    expect(policy.folders).toEqual([]);
  });
});

describe('the policy of folders', () => {
  it('without statements changes nothing', async () => {
    const own = parseFolderPolicy('# Words\n', 'constitution.md');
    expect(own).toEqual({
      folder: '',
      limits: {},
      rules: {},
      protectedPaths: [],
      flaggedPaths: [],
      prose: '# Words',
    });
    const same = await resolveConstitution(policy, [at('constitution.md', 'version: 2')]);
    expect(same).toEqual(policy);
    expect(same.protectedPaths).toBe(policy.protectedPaths);
  });

  it('titles the prose by where it stands', async () => {
    const merged = await resolveConstitution(policy, [
      at('constitution.md', 'version: 2', 'Ours.'),
    ]);
    expect(merged.prose).toBe(`${policy.prose}\n\n# Constitution of this repository\n\nOurs.`);
  });

  it('may say again what holds, and less strict where two folders meet is not taken', async () => {
    const merged = await resolveConstitution(policy, [
      at('a/constitution.md', 'rules: { PLAN_SCOPE: violation }\nlimits: { read_lines: 10 }'),
      at('b/constitution.md', 'rules: { PLAN_SCOPE: abstain }\nlimits: { read_lines: 500 }'),
    ]);
    for (const paths of [
      ['a/x', 'b/x'],
      ['b/x', 'a/x'],
    ]) {
      expect(policyFor(merged, paths).rules.PLAN_SCOPE).toBe('violation');
      expect(policyFor(merged, paths).limits.read_lines).toBe(10);
    }
    expect(policyFor(merged, ['b/x']).rules.PLAN_SCOPE).toBe('abstain');
    expect(policyFor(merged, ['b']).limits.read_lines).toBe(500);
    expect(policyFor(merged, ['a']).limits.read_lines).toBe(10);
    expect(policyFor(merged, [])).toEqual({ ...policy, folders: merged.folders });
    expect(policyFor(policy, ['a/x'])).toBe(policy);
  });

  it('may repeat a violation, and every rule and limit of the shipped constitution', async () => {
    const front = text.slice(4, text.indexOf('\n---\n', 4));
    expect(await refusal(() => resolveConstitution(policy, [at('constitution.md', front)]))).toBe(
      'accepted',
    );
    expect(
      await refusal(() =>
        resolveConstitution(policy, [
          at('constitution.md', 'rules: { PLAN_SCOPE: abstain, READ_LIMIT: violation }'),
        ]),
      ),
    ).toBe('accepted');
  });

  it('is read from the outside in, however long the names are', async () => {
    const merged = await resolveConstitution(policy, [
      at('x/y/constitution.md', ''),
      at('x-is-long/constitution.md', ''),
    ]);
    expect(merged.folders.map(f => f.folder)).toEqual(['x-is-long', 'x/y']);
  });

  it('says of each limit what it bounds', () => {
    for (const limit of Object.values(limitsSchema.shape))
      expect(limit.description).toMatch(/^(Maximum|Abstentions|Violations|Failed) .+\.$/);
  });

  it('is read from the outside in, whatever the order of the files', async () => {
    const files = [
      at('x/y/constitution.md', 'limits: { read_lines: 20 }', 'Inner.'),
      at('x/constitution.md', 'limits: { read_lines: 30 }', 'Outer.'),
      at('w/constitution.md', '', 'Other.'),
    ];
    for (const order of [files, [...files].reverse()]) {
      const merged = await resolveConstitution(policy, order);
      expect(merged.folders.map(f => f.folder)).toEqual(['w', 'x', 'x/y']);
      expect(policyFor(merged, ['x/y/z']).prose).toMatch(/Outer\.[\s\S]*Inner\.$/);
    }
    expect(
      await refusal(() =>
        resolveConstitution(policy, [
          at('x/y/constitution.md', 'limits: { read_lines: 40 }'),
          at('x/constitution.md', 'limits: { read_lines: 30 }'),
        ]),
      ),
    ).toContain('40 is looser than 30');
  });

  it('is looser in the first of its ways', () => {
    expect(looserThan(policy, policy)).toBeNull();
    expect(looserThan({ ...policy, limits: { ...policy.limits, repairs: 4 } }, policy)).toBe(
      'repairs: 4 is looser than 3',
    );
    expect(
      looserThan({ ...policy, rules: { ...policy.rules, READ_LIMIT: 'abstain' } }, policy),
    ).toBe('READ_LIMIT: abstain is looser than violation');
    expect(looserThan({ ...policy, protectedPaths: policy.protectedPaths.slice(1) }, policy)).toBe(
      '.github/** is not protected',
    );
    expect(
      looserThan(
        {
          ...policy,
          rules: { ...policy.rules, PLAN_SCOPE: 'violation' },
          limits: { ...policy.limits, repairs: 0 },
        },
        policy,
      ),
    ).toBeNull();
  });
});

describe('front matter', () => {
  it.each(['js', 'javascript', 'json', 'coffee'])('in %s is refused', async engine => {
    expect(await refusal(() => parseFrontMatter(`---${engine}\n{"a": 1}\n---\nx`))).toBe(
      `plain: front matter in ${engine} is not allowed; use YAML`,
    );
  });

  it('is YAML, and the body is trimmed', () => {
    expect(parseFrontMatter('---\na: [1, 2]\n---\n\n body \n\n')).toEqual({
      data: { a: [1, 2] },
      body: 'body',
    });
    expect(parseFrontMatter('---yaml\na: 1\n---\nx')).toEqual({ data: { a: 1 }, body: 'x' });
    expect(parseFrontMatter('no front')).toEqual({ data: {}, body: 'no front' });
  });

  it.each([
    ['---\nlimits:\n  read_lines: 1\n---\n', 3],
    ['---\nlimits: {read_lines: 1}\n---\n', 2],
    ['---\nlimits: { "read_lines": 1 }\n---\n', 2],
    ["---\nlimits: { repairs: 1, 'read_lines' : 1 }\n---\n", 2],
    ['---\n# read_lines: 9\nlimits:\n  # read_lines: 8\n  read_lines: 1\n---\n', 5],
    ['---\nlimits: # about read_lines\n  read_lines: 1\n---\n', 3],
    ['---\nx_read_lines: 1\nread_lines: 2\n---\n', 3],
    ['---\na: 1\n---\nread_lines: 1\n', 1],
    ['---\na: 1\n--- \nread_lines: 1\n', 1],
    ['---\nb: "x---"\nread_lines: 1\n---\n', 3],
    ['---\nb: x\n  ---y\nread_lines: 1\n---\n', 4],
    ['---\nread_lines: 1\n---\n', 2],
  ])('the key of %j is on line %i', (front, line) => {
    expect(lineOfKey(front, 'read_lines')).toBe(line);
  });

  it('finds a key with characters that mean something in a pattern', () => {
    expect(lineOfKey('---\naxb: 1\na.b: 2\n---\n', 'a.b')).toBe(3);
  });
});

describe('generated sections', () => {
  const title = '## Workflow Artifacts';
  it.each([
    [`${title}\n<!-- AUTO-GENERATED -->\ngone`, ''],
    [`${title}\n<!--AUTO-GENERATED by x-->\ngone`, ''],
    [`${title}\n  <!-- AUTO-GENERATED -->\ngone\n# B\nkept`, '# B\nkept'],
    [`${title}\n \n\t\n<!-- AUTO-GENERATED -->\ngone\n# B`, '# B'],
    [`${title}\n<!--   AUTO-GENERATED -->\ngone\n# B`, '# B'],
    ['Workflow Artifacts\n---\n<!-- AUTO-GENERATED -->\ngone\n# B', '# B'],
    [`${title}\n<!-- AUTO-GENERATED -->\ngone\n### B\ngone\n# C\nkept`, '# C\nkept'],
    [`${title}\n<!-- AUTO-GENERATED -->\ngone\n#B is no heading\n# C`, '# C'],
    [`${title}\n<!-- AUTO-GENERATED -->\ngone\n#`, '#'],
    [`${title}\n<!-- AUTO-GENERATED -->\ngone\n   # B`, '# B'],
    [`${title}\n<!-- AUTO-GENERATED -->\ngone\n    # code\ngone`, ''],
    [`${title}\n<!-- AUTO-GENERATED -->\n~~~\n# in a fence\n~~~ x\n# still\n~~~\ngone\n# B`, '# B'],
    [`${title}\n<!-- AUTO-GENERATED -->\n\`\`\`\n# x\n\`\`\`y\n# still in it\n\`\`\`\n# B`, '# B'],
    [`${title}\n<!-- AUTO-GENERATED -->\n~~\n# B`, '# B'],
    [`${title}\r\n<!-- AUTO-GENERATED -->\r\ngone\r\n# B\r\nkept`, '# B\nkept'],
    ['\n\nkept\n\n', 'kept'],
  ])('%j leaves %j', async (markdown, left) => {
    expect(await withoutGeneratedSections(markdown)).toBe(left);
  });

  it.each([
    [`${title}\nwords <!-- AUTO-GENERATED -->\nkept`],
    [`${title}\n<!-- AUTO-GENERATEDLY -->\nkept`],
    [`${title}\n<!-- by hand -->\nkept`],
    [`${title}\nkept\n<!-- AUTO-GENERATED -->`],
    [`${title}\nkept --\n<!-- AUTO-GENERATED -->`],
    [`${title}\n- kept\n<!-- AUTO-GENERATED -->`],
    [`${title}\n-kept\n<!-- AUTO-GENERATED -->`],
    ['# Workflow Artifacts\n<!-- AUTO-GENERATED -->\nkept'],
    ['## Reading Convention\n<!-- AUTO-GENERATED — how to use the manifest -->\nRead little.'],
    ['# A\n<!-- AUTO-GENERATED -->\nkept'],
    [`\`\`\`\n${title}\n<!-- AUTO-GENERATED -->\n\`\`\``],
    [title],
  ])('%j stays', async markdown => {
    expect(await withoutGeneratedSections(markdown)).toBe(markdown);
  });
});

describe('paths, more of them', () => {
  it.each([
    ['.git', true],
    ['.GIT', true],
    ['.git...', true],
    ['.git. .', true],
    ['git~1', true],
    ['GIT~12', true],
    ['.g\u200cit', true],
    ['.git:x', true],
    ['git~', false],
    ['git~1x', false],
    ['xgit~1', false],
    ['.gitx', false],
    ['git', false],
    ['', false],
    ['.gi', false],
  ])("%j is git's folder: %s", (name, is) => expect(isGitFolder(name)).toBe(is));

  it.each([
    ['a'.repeat(4096), true],
    ['a'.repeat(4097), false],
    ['b:c', false],
    ['bb:c', true],
    ['x/b:c', true],
    ['9:c', true],
    ['a~b', true],
  ])('%j may be a path: %s', (path, may) => expect(normalisePath(path) !== null).toBe(may));

  it('match hidden names and any case, and the first pattern is told', () => {
    const test = pathMatcher(['src/**', '**/*.KEY', '.photon/**']);
    expect(test('src/.hidden/.x')).toBe('src/**');
    expect(test('SRC/a')).toBe('src/**');
    expect(test('.deep/.er/x.key')).toBe('**/*.KEY');
    expect(test('.photon/.x')).toBe('.photon/**');
    expect(test('other')).toBeNull();
    const patterns = ['a'];
    expect(pathMatcher(patterns)).toBe(pathMatcher(patterns));
  });
});

describe('secrets, more of them', () => {
  it('are prepared longest first, trimmed, and not when they are short', () => {
    const { forms, windows } = secretForms([' longer-secret ', 'sixsix', 'fives', 'sixsix']);
    expect(forms).toContain('longer-secret');
    expect(forms).toContain('sixsix');
    expect(forms).not.toContain('fives');
    expect(forms).not.toContain(' longer-secret ');
    expect(forms.map(f => f.length)).toEqual([...forms.map(f => f.length)].sort((a, b) => b - a));
    expect(new Set(forms).size).toBe(forms.length);
    expect(forms.every(f => f.length >= 6)).toBe(true);
    expect([...windows]).toEqual(['longer-secre', 'onger-secret']);
  });

  it('of one line are one value, of several the long lines, too', () => {
    const { forms } = secretForms(['first line!!\r\n  second line  \nshort\nexactly12345']);
    for (const line of ['first line!!', 'exactly12345']) expect(forms).toContain(line);
    expect(forms).not.toContain('second line');
    expect(forms).not.toContain('short');
    expect(secretForms(['one line only']).forms.filter(f => f.includes(' '))).toEqual([
      'one line only',
      [...'one line only'].reverse().join(''),
    ]);
  });

  it('are found in the first and in the last twelve characters of a text, and in none shorter', () => {
    const forms = secretForms(['abcdefghijklmnopqrst']);
    expect(findSecret('cdefghijklmn', forms)).toBe(true);
    expect(findSecret('..........cdefghijklmn', forms)).toBe(true);
    expect(findSecret('ijklmnopqrst', forms)).toBe(true);
    expect(findSecret('abcdefghijkl', forms)).toBe(true);
    expect(findSecret('cdefghijklm', forms)).toBe(false);
    expect(findSecret('anything at all', secretForms([]))).toBe(false);
    expect(findSecret('x sevenxx x', secretForms(['sevenxx']))).toBe(true);
  });

  it('are blanked as asked', () => {
    const forms = secretForms(['s3cr3t-value']);
    expect(redactSecrets('a s3cr3t-value b s3cr3t-value', forms)).toBe('a *** b ***');
    expect(redactSecrets('a s3cr3t-value', forms, '(secret)')).toBe('a (secret)');
    expect(redactSecrets('plain', forms)).toBe('plain');
  });

  it('are known as JSON, as a part of a URL and in both alphabets of base64', () => {
    const value = 'a"b\\c/d?e>f~g>>??';
    const { forms } = secretForms([value]);
    expect(forms).toContain(JSON.stringify(value).slice(1, -1));
    expect(forms).toContain(encodeURIComponent(value));
    for (const shift of [0, 1, 2]) {
      const whole = Buffer.concat([
        Buffer.alloc(shift, 'x'),
        Buffer.from(value),
        Buffer.from('xyz'),
      ]);
      expect(
        forms.some(f => whole.toString('base64').includes(f)),
        `${shift}`,
      ).toBe(true);
      expect(
        forms.some(f => whole.toString('base64url').includes(f)),
        `${shift} url`,
      ).toBe(true);
    }
    expect(forms.some(f => f.includes('-') || f.includes('_'))).toBe(true);
    expect(forms.every(f => !f.includes('='))).toBe(true);
  });
});
