import { describe, expect, it } from 'vitest';
import { lostTests } from '../../src/verify/judge-patch.ts';
import { endingCalls } from '../../src/verify/patch-warnings.ts';
import { changeOf } from './changes.ts';

describe('calls that end a process', () => {
  it.each([
    'process.exit(0)',
    'process.exit()',
    'process.reallyExit(1)',
    "process['exit'](0)",
    'process.kill(process.pid)',
    'process.exitCode = 0',
    'os._exit(0)',
    'from os import _exit',
    'sys.exit()',
    'raise SystemExit',
    'atexit.register(f)',
    'syscall.Exit(0)',
    'System.exit(0);',
    'std::process::exit(0)',
    'exit!',
    'Deno.exit(0)',
  ])('%s', line =>
    expect(endingCalls([changeOf('src/a', 'x\n', `x\n${line}\n`)])).toEqual(['src/a']),
  );
  it.each([
    'process.exit(1)',
    'sys.exit(main())',
    'System.exit(2);',
    'onExit()',
    'process.env.X',
    'exitCode = 1',
  ])('not %s', line => expect(endingCalls([changeOf('src/a', 'x\n', `x\n${line}\n`)])).toEqual([]));
  it('not an existing one, and not one in a document', () => {
    expect(endingCalls([changeOf('a.js', 'process.exit(0)\n', 'process.exit(0)\nb\n')])).toEqual(
      [],
    );
    expect(endingCalls([changeOf('a.md', '', 'process.exit(0)\n')])).toEqual([]);
  });
});

describe('texts that are crafted to be slow to parse', () => {
  const many = 300_000;
  it.each([
    ['a long word below @Test', `${'@Test\n'.repeat(50)}${'a'.repeat(many)}`],
    ['empty lines', '\n'.repeat(many)],
    ['blank lines', ' \t\n'.repeat(many)],
    ['open quotes', "test('".repeat(many)],
    ['imports on one line', 'from os import '.repeat(many / 10)],
    ['spaces', `process${' '.repeat(many)}`],
  ])('%s', (_name, text) => {
    expect(lostTests([changeOf('a.test.js', text, '')], 'x').names.length).toBeLessThan(many);
    expect(endingCalls([changeOf('src/a', '', text)])).toEqual([]);
  });
});
