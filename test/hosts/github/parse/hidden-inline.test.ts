import { expect, it } from 'vitest';
import { isHiddenInline } from '../../../../src/hosts/github/parse/hidden-inline.ts';

const command = '/photon';
const hides = (text: string) => isHiddenInline(text, text.indexOf(command));

it.each([
  `<a title="${command} fix">x</a>`,
  `[x](https://a.test "${command} fix")`,
  `[x](<${command}>)`,
  `[x]: https://a.test "${command} fix"`,
  `$$ ${command} fix $$`,
  `$a ${command} b$`,
  `\`${command} fix\``,
  `\`\` a \` ${command} \`\``,
])('%s hides it', text => expect(hides(text)).toBe(true));

it.each([
  `please ${command} fix`,
  `1 < 2 ${command} fix`,
  `\\<a title="${command} fix">`,
  `it costs $5 ${command} fix`,
  `\` open ${command} fix`,
  `\`code\` ${command} fix`,
  `<b>x</b> ${command} fix`,
])('%s shows it', text => expect(hides(text)).toBe(false));

it('behind more constructs than are looked at, it counts as hidden', () => {
  expect(hides(`${'< '.repeat(1_001)}${command}`)).toBe(true);
  expect(hides(`${'< '.repeat(900)}${command}`)).toBe(false);
});
