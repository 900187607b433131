import { describe, expect, it } from 'vitest';
import {
  renderCommands,
  type ShownCommand,
  shownCommandLine,
} from '../../../src/report/terminal/session-text.ts';

describe('commands as a person would recognise them', () => {
  const command: ShownCommand = {
    caller: 'run/photon/verify',
    argv: ['sh', '-c', 'npm test'],
    cwd: '.',
    network: false,
    startedAt: 0,
    durationMs: 12,
    end: 'exit 1',
  };
  describe('shownCommandLine', () => {
    it.each([
      [['sh', '-c', 'npm test'], 'npm test'],
      [['sh', '-c', 'cd a\n  npm test'], 'cd a; npm test'],
      [['npm', 'run', 'test it'], 'npm run "test it"'],
    ])('shows %.60j', (argv, shown) => expect(shownCommandLine(argv)).toBe(shown));

    it('ends a long line with an ellipsis', () => {
      const shown = shownCommandLine(['sh', '-c', 'echo a '.repeat(1000)]);
      expect(shown).toMatch(/^echo a .*…$/);
      expect(shown).toHaveLength(401);
    });
  });

  describe('renderCommands', () => {
    it('names how many earlier commands it leaves out', () => {
      const text = renderCommands(Array.from({ length: 250 }, () => command));
      expect(text).toMatch(/^50 earlier commands: --json prints all\.\n1970-/);
      expect(text.match(/npm test/g)).toHaveLength(200);
    });

    it('says when none ran', () => expect(renderCommands([])).toBe('No command ran.\n'));
  });
});
