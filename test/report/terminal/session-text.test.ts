import { describe, expect, it } from 'vitest';
import {
  renderCommands,
  type ShownCommand,
  shownCommandLine,
} from '../../../src/report/terminal/session-text.ts';

describe('commands as a person would recognise them', () => {
  const none = { count: 0, paths: [] };
  const command: ShownCommand = {
    caller: 'run/photon/verify',
    argv: ['sh', '-c', 'npm test'],
    cwd: '.',
    network: false,
    startedAt: 0,
    durationMs: 12,
    end: 'exit 1',
    outputTail: '',
    files: { written: none, changed: none, deleted: none },
  };
  const driver = `/** A driver. */\n${'const x = 1;\n'.repeat(2000)}`;
  const reporter = `data:text/javascript;base64,${'QUJD'.repeat(5000)}`;

  describe('shownCommandLine', () => {
    it.each([
      [['sh', '-c', 'npm test'], 'npm test'],
      [['sh', '-c', 'cd a\n  npm test'], 'cd a; npm test'],
      [['npm', 'run', 'test it'], 'npm run "test it"'],
      [['node', '-e', driver], `node -e <text of ${driver.length} characters>`],
      [
        ['sh', '-c', `ulimit -t 3; node --test '--test-reporter=${reporter}' a.test.js`],
        `ulimit -t 3; node --test '--test-reporter=<data:text/javascript, ${reporter.length} characters>' a.test.js`,
      ],
      [['sh', '-c', 'data:a,b'], 'data:a,b'],
    ])('shows %.60j', (argv, shown) => expect(shownCommandLine(argv)).toBe(shown));

    it('ends a long line with the number of characters that it leaves out', () => {
      const shown = shownCommandLine(['sh', '-c', 'echo a '.repeat(1000)]);
      expect(shown).toMatch(/^echo a .*… \(6600 more characters\)$/);
    });
  });

  describe('renderCommands', () => {
    it('stays small, whatever ran', () => {
      const paths = Array.from({ length: 100 }, (_, i) => `build/${i}`);
      const text = renderCommands([
        {
          ...command,
          argv: ['node', '-e', driver],
          outputTail: 'line\n'.repeat(1000),
          files: { written: { count: 300, paths }, changed: none, deleted: none },
        },
      ]);
      expect(text).toContain(
        '    written: build/0, build/1, build/2, build/3, build/4 and 295 more\n',
      );
      expect(text.match(/line/g)).toHaveLength(10);
      expect(text.length).toBeLessThan(600);
    });

    it('names how many earlier commands it leaves out', () => {
      const text = renderCommands(Array.from({ length: 250 }, () => command));
      expect(text).toMatch(/^50 earlier commands: --json prints all\.\n1970-/);
      expect(text.match(/npm test/g)).toHaveLength(200);
    });

    it('says when none ran', () => expect(renderCommands([])).toBe('No command ran.\n'));
  });
});
