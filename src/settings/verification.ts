/** Settings of the verification: the test command, and what proves a patch. */
import * as z from 'zod';
import {
  checkedBy,
  choice,
  convertValue,
  matching,
  minutesToMs,
  relativePath,
  secondsToMs,
  setting,
  textValue,
  wholeNumber,
} from './setting.ts';

const folderRule = 'a folder of the repository, of letters, digits and . _ @ + -';
const folder = () =>
  z
    .string()
    .regex(/^(?!-)[\w.@+-]+(?:\/[\w.@+-]+)*$/, folderRule)
    .refine(path => !path.split('/').some(part => /^\.\.?$/.test(part)), folderRule);

export const verificationSettings = {
  testCommand: setting(textValue(undefined, 'command'), {
    input: 'test-command',
    key: 'verify.command',
    default: '',
    description: 'Shell command that runs the tests. If it is not set, Photon detects it.',
  }),
  workingDirectory: setting(matching(folder, folderRule, 'dir'), {
    input: 'working-directory',
    key: 'verify.workingDirectory',
    default: '',
    description:
      'Folder in which test-command, setup-command and sarif-command start, such as packages/api, and in which Photon looks for them if they are not set. If it is not set, the top folder.',
  }),
  sarifCommand: setting(textValue(undefined, 'command'), {
    input: 'sarif-command',
    key: 'verify.sarifCommand',
    default: '',
    description:
      'Shell command of the scanner, which writes the file of the input sarif. A finding is repaired when it no longer reports it, and reports nothing new. If it is not set, the tests alone decide.',
  }),
  setupCommand: setting(textValue(undefined, 'command'), {
    input: 'setup-command',
    key: 'verify.setup',
    default: '',
    description: 'Shell command that runs in the sandbox before the tests.',
  }),
  require: setting(choice(['pass', 'no-regression', 'executed', 'decided', 'none']), {
    input: 'verify',
    key: 'verify.require',
    default: 'pass',
    description:
      'What proves a patch. pass: the test command succeeds, or only tests fail that fail without the patch, which makes a draft. no-regression: it succeeds if it does so without the patch; otherwise no test case fails that did not fail before. executed: the test command succeeds, and a test runs each changed line. decided: it succeeds, and a test fails if a changed line is changed. none: no proof is required, and the pull request says that nothing was verified.',
  }),
  testChanges: setting(choice(['asked', 'rollback', 'flag']), {
    key: 'verify.testChanges',
    default: 'asked',
    description:
      'What happens to a patch that passes only with its own changes to the tests. rollback: discard it. flag: open a draft pull request with a warning. asked: a draft that names each changed expectation where the task names tests to adapt, a rename or changed behaviour, or somebody approved a plan with these tests; otherwise rollback.',
  }),
  report: setting(textValue(relativePath, 'file'), {
    key: 'verify.report',
    default: '',
    description:
      'Report that the test command writes, in one of the forms of docs/verification.md.',
  }),
  reruns: setting(wholeNumber(1, 5), {
    key: 'verify.reruns',
    default: 2,
    description:
      'How often the tests run on the same files if cases fail before the patch. Cases that pass and fail are flaky and decide nothing.',
  }),
  proofBudgetMs: setting(convertValue(wholeNumber(0, 3600), secondsToMs), {
    input: 'proof-seconds',
    key: 'verify.budgetSeconds',
    terminalOnly: true,
    default: undefined,
    description:
      'Maximum seconds to find out what the tests show of a patch that passes them. 0 turns it off. If it is not set, one run of the tests and 2.5 seconds, less what the verification took beyond its runs without and with the patch; at least one run of tests that take up to 3 seconds, and at most 5 minutes.',
  }),
  testTimeoutMs: setting(
    convertValue(
      checkedBy(() => z.number().min(0.1).max(360)),
      minutesToMs,
    ),
    {
      key: 'verify.timeoutMinutes',
      default: 15,
      description: 'Maximum minutes of one run of the tests.',
    },
  ),
} as const;
