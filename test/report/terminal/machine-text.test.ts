/** What the terminal says of the machine and its tests. */
import { expect, it } from 'vitest';
import { renderTests } from '../../../src/report/terminal/machine-text.ts';

const found = { command: 'npm test', setupCommand: '', detected: {}, lacks: undefined };
const render = (more: object) => renderTests({ ...found, ...more } as never);

it.each([
  [{}, ''],
  [{ detected: undefined }, 'in use:  npm test, as verify.command or test-command says\n'],
  [{ setupCommand: 'npm ci' }, 'in use:  npm ci, as verify.setup or setup-command says\n'],
  [
    { lacks: { why: 'there is no node_modules', cure: 'Run npm ci.' } },
    '  MISSING TEST_COMMAND_UNRUNNABLE: there is no node_modules\nhelp: Run npm ci.\n',
  ],
])('the commands with %o', (more, text) => expect(render(more)).toBe(text));
