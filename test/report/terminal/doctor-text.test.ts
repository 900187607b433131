import { describe, expect, it } from 'vitest';
import { renderDetection, renderTests } from '../../../src/report/terminal/doctor-text.ts';

const shown = (n: number, setup = '') => ({
  tool: `tool ${n}`,
  command: `test ${n}`,
  setup,
  because: `file-${n}`,
});

describe('what a project shows of its tests', () => {
  it('is the command, the file that shows it, its set-up, and what was passed over', () => {
    expect(renderDetection({ chosen: shown(1), passedOver: [shown(2)] })).toBe(
      'tests:   test 1 (tool 1, from file-1)\nset-up:  none\n  passed over: test 2 (tool 2, from file-2)\n',
    );
    expect(renderDetection({ chosen: shown(1, 'install'), passedOver: [] })).toContain(
      'set-up:  install\n',
    );
  });

  it('has the CI that runs the same, what it needs, and notes', () => {
    const witness = {
      file: '.github/workflows/ci.yml',
      line: 'test 1',
      services: ['redis'],
      ports: ['6379'],
    };
    const chosen = { ...shown(1), witness };
    expect(renderDetection({ chosen, passedOver: [], notes: ['A note.'] })).toBe(
      'tests:   test 1 (tool 1, from file-1, as ci.yml runs it)\nset-up:  none\n  .github/workflows/ci.yml has: services redis\n  For tests that need them, set network: services and services: 6379 (docs/sandbox.md).\n  note: A note.\n',
    );
  });

  it('is cut where too much was passed over', () => {
    const passedOver = Array.from({ length: 10 }, (_, i) => shown(i));
    const lines = renderDetection({ chosen: shown(99), passedOver })
      .trimEnd()
      .split('\n');
    expect(lines.filter(line => line.startsWith('  passed over:'))).toHaveLength(8);
    expect(lines.at(-1)).toBe('  and 2 more');
  });
});

const found = { command: 'npm test', setupCommand: '', detected: {}, lacks: undefined };
const render = (more: object) => renderTests({ ...found, ...more } as never);

it.each([
  [{}, ''],
  [{ detected: undefined }, 'in use:  npm test, as verify.command or test-command says\n'],
  [
    { setupCommand: 'npm ci' },
    'in use:  npm ci, as verify.setup or setup-command says, without a network unless --network gives one\n',
  ],
  [
    { lacks: { why: 'there is no node_modules', cure: 'Run npm ci.' } },
    '  MISSING TEST_COMMAND_UNRUNNABLE: there is no node_modules\nhelp: Run npm ci.\n',
  ],
])('the commands with %o', (more, text) => expect(render(more)).toBe(text));
