/** The rows of SKILL_GUARD. */
import type { Evidence } from '../../../src/guard/evidence.ts';
import type { SkillGrant } from '../../../src/guard/policy/skill-grant.ts';
import { skillGuard } from '../../../src/guard/rules/skill-guard.ts';
import { file, type Given, grant, missing, playRows, read, write } from './cases.ts';

/** code-modify is active under some guards. */
const guarded = (
  guards: SkillGrant['guards'],
  evidence: Partial<Evidence> = {},
  ...others: SkillGrant[]
): Given => ({
  call: { tool: 'apply_patch', nextPhase: 'PATCH' },
  evidence: { ...evidence, activeSkills: [grant({ guards }), ...others] },
});

/** The second line of the file skips a test already. */
const skipped: Given = {
  ...guarded({ suppress: false }, { known: new Map([['a.js', new Set([2])]]) }),
  facts: { 'a.js': { kind: 'file', tracked: true, lines: ['one', 'test.skip(0)'] } },
};

playRows(skillGuard, 'abstain SKILL_GUARD §5.1', [
  [
    'a file outside of its paths',
    [write('a.js')],
    'code-modify: a.js is outside lib/**, @docs',
    guarded({ paths: ['lib/**', '@docs'] }),
  ],
  [
    'comments of a file outside of documents',
    [write('a.js', { comments: true })],
    'pass',
    guarded({ paths: ['@docs'] }),
  ],
  [
    'comments where no document may change',
    [write('a.js', { comments: true })],
    'code-modify: a.js is outside lib/**',
    guarded({ paths: ['lib/**'] }),
  ],
  [
    'a comment that silences a check',
    [write('a.js', { comments: true, added: '// eslint-disable-next-line\n' })],
    'code-modify: a.js is outside @docs',
    guarded({ paths: ['@docs'] }),
  ],
  ['a file inside of them', [write('a.js')], 'pass', guarded({ paths: ['*.js'] })],
  [
    'a file that is excepted',
    [write('a.js')],
    'code-modify: a.js is in *.js, which the skill may not change',
    guarded({ except: ['@tests', '*.js'] }),
  ],
  ['a file that is not', [write('a.js')], 'pass', guarded({ except: ['@tests'] })],
  [
    'a deletion',
    [{ kind: 'write', path: 'a.js', change: 'delete', ranges: [], added: '' }],
    'code-modify: a.js would be deleted',
    guarded({ delete: false }),
  ],
  [
    'a new file',
    [{ kind: 'write', path: 'n.js', change: 'replace', ranges: [], added: 'x' }],
    'code-modify: n.js would be a new file',
    { ...guarded({ create: false }), facts: { 'n.js': missing } },
  ],
  ['no new file', [write('a.js')], 'pass', guarded({ create: false })],
  [
    'another spelling of a file that is there',
    [write('./a.js')],
    'pass',
    guarded({ create: false, paths: ['a.js'] }),
  ],
  ['an edit where nothing may be deleted', [write('a.js')], 'pass', guarded({ delete: false })],
  [
    'reads beside a write are no files of its patch',
    [read('b/c.js', 1), write('a.js')],
    'pass',
    {
      ...guarded({ maxFiles: 1 }, { navigatedFiles: new Set(['a.js', 'b/c.js']) }),
      facts: { 'b/c.js': file },
    },
  ],
  [
    'a marker in a new file',
    [{ kind: 'write', path: 'n.js', change: 'replace', ranges: [], added: 'test.skip(1)' }],
    'code-modify: n.js would silence a check with test.skip(',
    { ...guarded({ suppress: false }), facts: { 'n.js': missing } },
  ],
  [
    'a marker that silences a check',
    [write('a.js', { added: '// eslint-disable-next-line\nx' })],
    'code-modify: a.js would silence a check with eslint-disable',
    guarded({ suppress: false }),
  ],
  ['a marker that was there before', [write('a.js', { added: 'test.skip(1)' })], 'pass', skipped],
  [
    'a second one beside it',
    [write('a.js', { added: 'test.skip(1); test.skip(2)' })],
    'code-modify: a.js would silence a check with test.skip(',
    skipped,
  ],
  [
    'too many files',
    [write('a.js')],
    'code-modify: the patch would change 2 files; the skill allows at most 1',
    guarded({ maxFiles: 1 }, { patchedFiles: new Set(['b.js']) }),
  ],
  [
    'the same file again',
    [write('a.js')],
    'pass',
    guarded({ maxFiles: 1 }, { patchedFiles: new Set(['a.js']) }),
  ],
  [
    'too many lines',
    [write('a.js')],
    'code-modify: the patch would change 3 lines; the skill allows at most 2',
    guarded({ maxLines: 2 }, { changedLines: 2 }),
  ],
  [
    'as many lines as it may',
    [write('a.js')],
    'pass',
    guarded({ maxLines: 3 }, { changedLines: 2 }),
  ],
  [
    'what another active skill lets be',
    [write('a.js')],
    'pass',
    guarded({ paths: ['x'] }, {}, { ...grant({}), name: 'other' }),
  ],
  [
    'what no active skill lets be: the first says why',
    [write('a.js')],
    'code-modify: a.js is outside x',
    guarded({ paths: ['x'] }, {}, { ...grant({ guards: { paths: ['y'] } }), name: 'other' }),
  ],
  [
    'another active skill that does not grant the tool',
    [write('a.js')],
    'code-modify: a.js is outside x',
    guarded({ paths: ['x'] }, {}, { ...grant({}), name: 'other', tools: ['undo'] }),
  ],
]);
