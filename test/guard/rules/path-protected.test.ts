/** The rows of PATH_PROTECTED. */
import { describe, expect, it } from 'vitest';

import { pathProtected } from '../../../src/guard/rules/path-protected.ts';
import { file, judge, missing, playRows, read, write } from './cases.ts';

playRows(pathProtected, [
  [
    'a workflow',
    [write('.github/x.yml')],
    'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**',
    { facts: { '.github/x.yml': file } },
  ],
  [
    'in other letters',
    [write('.GitHub/x.yml')],
    'violation PATH_PROTECTED §3.3 .GitHub/x.yml is protected by .github/**',
    { facts: { '.GitHub/x.yml': file } },
  ],
  [
    'each file',
    [write('.github/x.yml'), write('k/id_rsa')],
    'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**, k/id_rsa is protected by **/id_{rsa,dsa,ecdsa,ed25519}{,_sk}{,.pub,.pem,.key,.ppk,.bak,.old}',
    { facts: { '.github/x.yml': file, 'k/id_rsa': missing } },
  ],
  [
    'one of several files: told, not the end',
    [write('a.js'), write('.github/x.yml')],
    'abstain PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**; nothing was done, so send the call again without this file',
    { facts: { '.github/x.yml': file } },
  ],
  [
    'one of several files, beside a breach that ends the run',
    [write('.github/x.yml'), write('a.js', { added: 'key = s3cret' })],
    'violation SECRET_IN_PATCH §3.3 the change contains the value of a secret of this run',
    { facts: { '.github/x.yml': file }, secret: 's3cret' },
  ],
  [
    'the same protected file twice is nothing but a protected file',
    [write('.github/x.yml'), write('./.github/x.yml')],
    'violation PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**',
    { facts: { '.github/x.yml': file } },
  ],
  [
    'one of several files of a plan',
    [{ kind: 'plan', files: ['a.js', '.github/x.yml', 'constitution.md'], maxChangedLines: 9 }],
    'abstain PATH_PROTECTED §3.3 .github/x.yml is protected by .github/**, constitution.md is protected by **/constitution.md; nothing was done, so send the call again without these files',
    { call: { tool: 'plan' } },
  ],
  [
    'a plan of a protected file alone is judged with its patch',
    [{ kind: 'plan', files: ['.github/x.yml'], maxChangedLines: 9 }],
    'pass',
    {
      call: { tool: 'plan', nextPhase: 'PLAN' },
      evidence: { permittedTools: new Set(['plan']) },
    },
  ],
  [
    'may be read',
    [read('.github/x.yml', 1)],
    'pass',
    {
      facts: { '.github/x.yml': file },
      evidence: { navigatedFiles: new Set(['.github/x.yml']) },
    },
  ],
]);

describe('PATH_PROTECTED by itself', () => {
  it('has no pattern for what is no path', () => {
    expect(judge(pathProtected, [write('/etc/x')])).toBeUndefined();
  });
});
