import { expect, it } from 'vitest';
import { findQuestions, plainCode, withoutTexts } from '../../../src/ecosystems/shared/cheats.ts';

it('plain code has no comments, whole texts and named members', () => {
  expect(plainCode("a['it'] = 'un' + 'it'; // b\n/* c */ '// d'", '//')).toBe(
    "a.it = 'unit'; \n '// d'",
  );
  expect(plainCode("a = '#' # b\n", '#')).toBe("a = '#' \n");
});

it('code without texts keeps what stands around them', () =>
  expect(withoutTexts(`f("{", '\\'}', \`\n\`)`)).toBe("f('', '', '')"));

const question = { yields: /\bargv\b/, about: /'--test'/ };
const asked = (code: string) => findQuestions(code, question).map(c => c.code);

it.each<[string, string[]]>([
  ["if (argv.includes('--test')) go();", ["if (argv.includes('--test')) go()"]],
  ["if (['--test'].includes(argv[0])) go();", ["if (['--test'].includes(argv[0])) go()"]],
  ["words = argv\nif '--test' in words:", ["if '--test' in words:"]],
  ["for (const w of argv)\n  if (w === '--test') go();", ["if (w === '--test') go()"]],
  ["start('--test', argv);", []],
  ["const words = argv;\nstart('--test', words);", []],
  ["words.argv = argv;\nif (other === '--test') go();", []],
])('%s', (code, found) => expect(asked(code)).toEqual(found));
