/** The rows of VERIFY_MISSING. */
import { verifyMissing } from '../../../src/guard/rules/verify-missing.ts';
import { playRows } from './cases.ts';

playRows(verifyMissing, 'abstain VERIFY_MISSING §2', [
  [
    'a patch that was not verified',
    [{ kind: 'commit' }],
    'the current patch has not been verified',
    { evidence: { patchDigest: 'p' } },
  ],
  [
    'another patch was',
    [{ kind: 'commit' }],
    'the current patch has not been verified',
    { evidence: { patchDigest: 'p', verified: { patchDigest: 'q', passed: true } } },
  ],
  [
    'this one was',
    [{ kind: 'commit' }],
    'pass',
    { evidence: { patchDigest: 'p', verified: { patchDigest: 'p', passed: true } } },
  ],
  [
    'waived in writing',
    [{ kind: 'commit' }],
    'pass',
    { evidence: { patchDigest: 'p', verificationWaived: true } },
  ],
  ['nothing to verify', [{ kind: 'commit' }], 'pass', { evidence: { patchDigest: '' } }],
  ['no commit', [{ kind: 'undo' }], 'pass', { evidence: { patchDigest: 'p' } }],
]);
