/** Settings of the verification: the test command, and what proves a patch. */
import * as z from 'zod';
import { relativePath } from './paths.ts';
import { checkedBy, choice, converted, setting, textValue } from './setting.ts';

export const verificationSettings = {
  testCommand: setting(textValue(undefined, 'command'), {
    input: 'test-command',
    key: 'verify.command',
    default: '',
    description: 'Shell command that runs the tests. If it is not set, Photon detects it.',
  }),
  setupCommand: setting(textValue(undefined, 'command'), {
    input: 'setup-command',
    key: 'verify.setup',
    default: '',
    description: 'Shell command that runs in the sandbox before the tests.',
  }),
  require: setting(choice(['pass', 'no-regression', 'none']), {
    input: 'verify',
    key: 'verify.require',
    default: 'pass',
    description:
      'What proves a patch. pass: the test command succeeds. no-regression: no test case that passed before fails. none: no proof is required, and the pull request says that nothing was verified.',
  }),
  testChanges: setting(choice(['rollback', 'flag']), {
    key: 'verify.testChanges',
    default: 'rollback',
    description:
      'What happens to a patch that passes only with its own changes to the tests. rollback: discard it. flag: open a draft pull request with a warning.',
  }),
  report: setting(textValue(relativePath, 'file'), {
    key: 'verify.report',
    default: '',
    description: 'JUnit file that the test command writes.',
  }),
  testTimeoutMs: setting(
    converted(checkedBy(z.number().min(0.1).max(360)), minutes => minutes * 60_000),
    {
      key: 'verify.timeoutMinutes',
      default: 15,
      description: 'Maximum minutes of one run of the tests.',
    },
  ),
} as const;
