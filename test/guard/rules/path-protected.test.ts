/** The rows of PATH_PROTECTED. */
import { describe, expect, it } from 'vitest';
import { pathProtected } from '../../../src/guard/rules/path-protected.ts';
import { file, judge, missing, playRows, read, strict, write } from './cases.ts';

const told = { refused: new Set(['PATH_PROTECTED']) };
const workflow = { '.github/x.yml': file };
const alone =
  '.github/x.yml is protected by .github/**; nothing was done: leave .github/x.yml out, and name it in finish for a person to change; a second patch of it ends the run';

playRows(pathProtected, 'abstain PATH_PROTECTED §3.3', [
  ['a workflow, for the first time', [write('.github/x.yml')], alone, { facts: workflow }],
  [
    'a workflow, after this was said',
    [write('.github/x.yml')],
    'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**',
    { facts: workflow, evidence: told },
  ],
  [
    'a workflow in strict mode',
    [write('.github/x.yml')],
    'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**',
    { facts: workflow, policy: strict },
  ],
  [
    'in other letters',
    [write('.GitHub/x.yml')],
    'violation PATH_PROTECTED §3.3 .GitHub/x.yml is protected by .github/**',
    { facts: { '.GitHub/x.yml': file }, evidence: told },
  ],
  [
    'each file',
    [write('.github/x.yml'), write('k/id_rsa')],
    'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**, k/id_rsa is protected by **/id_{rsa,dsa,ecdsa,ed25519}{,_sk}{,.pub,.pem,.key,.ppk,.bak,.old}',
    { facts: { '.github/x.yml': file, 'k/id_rsa': missing }, evidence: told },
  ],
  [
    'one of several files: what to drop, not the end',
    [write('a.js'), write('.github/x.yml')],
    '.github/x.yml is protected by .github/**; nothing was done: send the call again without .github/x.yml',
    { facts: workflow, evidence: told },
  ],
  [
    'one of several files, beside a breach that ends the run',
    [write('.github/x.yml'), write('a.js', { added: 'key = s3cret' })],
    'violation SECRET_IN_PATCH §3.3 the change contains the value of a secret of this run',
    { facts: workflow, secret: 's3cret' },
  ],
  [
    'the same protected file twice is nothing but a protected file',
    [write('.github/x.yml'), write('./.github/x.yml')],
    alone,
    { facts: workflow },
  ],
  [
    'one of several files of a plan',
    [{ kind: 'plan', files: ['a.js', '.github/x.yml', 'constitution.md'], maxChangedLines: 9 }],
    '.github/x.yml is protected by .github/**, constitution.md is protected by **/constitution.md; nothing was done: send the call again without .github/x.yml, constitution.md',
    { call: { tool: 'plan' } },
  ],
  [
    'a plan of a protected file alone, however often',
    [{ kind: 'plan', files: ['.github/x.yml'], maxChangedLines: 9 }],
    '.github/x.yml is protected by .github/**; nothing was done: plan the files that may change, or none (affected_files: []), and name .github/x.yml in finish for a person to change',
    {
      call: { tool: 'plan', nextPhase: 'PLAN' },
      evidence: { ...told, permittedTools: new Set(['plan']) },
    },
  ],
  [
    'such a plan in strict mode is judged with its patch',
    [{ kind: 'plan', files: ['.github/x.yml'], maxChangedLines: 9 }],
    'pass',
    {
      policy: strict,
      call: { tool: 'plan', nextPhase: 'PLAN' },
      evidence: { permittedTools: new Set(['plan']) },
    },
  ],
  [
    'may be read',
    [read('.github/x.yml', 1)],
    'pass',
    { facts: { '.github/x.yml': file }, evidence: { navigatedFiles: new Set(['.github/x.yml']) } },
  ],
]);

describe('PATH_PROTECTED by itself', () => {
  it('has no pattern for what is no path', () => {
    expect(judge(pathProtected, [write('/etc/x')])).toBeUndefined();
  });
});
