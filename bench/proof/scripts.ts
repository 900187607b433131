/** JavaScript programs of the corpus. Their tests import `../src/NAME.js` and run with `node --test`. */
import type { Program } from './program.ts';

export const scripts: readonly Program[] = [
  {
    name: 'invoice',
    language: 'js',
    source: `/** Amounts are in cents. */
export function net(lines) {
  return lines.reduce((sum, line) => sum + line.price * line.count, 0);
}

export function gross(lines, taxPercent) {
  @fix@
}

export function label(cents) {
  @spare@
}
`,
    bug: 'return Math.floor(net(lines) * (1 + taxPercent / 100));',
    fix: 'return Math.round((net(lines) * (100 + taxPercent)) / 100);',
    wrong: 'return Math.ceil(net(lines) * (1 + taxPercent / 100));',
    spare: [
      "return (cents / 100).toFixed(2) + ' EUR';",
      "return [(cents / 100).toFixed(2), 'EUR'].join(' ');",
    ],
    tests: `import { gross, net } from '../src/invoice.js';
test('sums the lines', () => assert.equal(net([{ price: 250, count: 2 }]), 500));
test('rounds the tax', () => assert.equal(gross([{ price: 999, count: 1 }], 19), 1189));
`,
    hidden: `import { gross } from '../src/invoice.js';
test('rounds down as well', () => assert.equal(gross([{ price: 101, count: 1 }], 19), 120));
test('no tax', () => assert.equal(gross([{ price: 100, count: 1 }], 0), 100));
`,
    weakened: `import { gross, net } from '../src/invoice.js';
test('sums the lines', () => assert.equal(net([{ price: 250, count: 2 }]), 500));
test('rounds the tax', () => assert.ok(gross([{ price: 999, count: 1 }], 19) > 1000));
`,
  },
  {
    name: 'pages',
    language: 'js',
    source: `export function pageCount(total, size) {
  @fix@
}

export function pageOf(items, number, size) {
  const start = (number - 1) * size;
  return items.slice(start, start + size);
}

export function title(number, total) {
  @spare@
}
`,
    bug: 'return Math.floor(total / size);',
    fix: 'return Math.ceil(total / size);',
    wrong: 'return Math.floor(total / size) + 1;',
    spare: [
      "return 'Page ' + number + ' of ' + total;",
      "return ['Page', number, 'of', total].join(' ');",
    ],
    tests: `import { pageCount, pageOf } from '../src/pages.js';
test('a last page that is not full counts', () => assert.equal(pageCount(11, 5), 3));
test('one page', () => assert.deepEqual(pageOf([1, 2, 3], 2, 2), [3]));
`,
    hidden: `import { pageCount } from '../src/pages.js';
test('full pages', () => assert.equal(pageCount(10, 5), 2));
test('nothing', () => assert.equal(pageCount(0, 5), 0));
`,
  },
  {
    name: 'calendar',
    language: 'js',
    source: `export function isLeap(year) {
  @fix@
}

export function daysIn(month, year) {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export function season(month) {
  @spare@
}
`,
    bug: 'return year % 4 === 0;',
    fix: 'return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;',
    wrong: 'return year % 4 === 0 && year !== 1900;',
    spare: [
      "return month >= 3 && month < 6 ? 'spring' : 'other';",
      "return month > 2 && month <= 5 ? 'spring' : 'other';",
    ],
    tests: `import { daysIn, isLeap } from '../src/calendar.js';
test('leap years', () => assert.equal(isLeap(2024), true));
test('1900 was none', () => assert.equal(daysIn(2, 1900), 28));
test('2023 was none', () => assert.equal(isLeap(2023), false));
`,
    hidden: `import { isLeap } from '../src/calendar.js';
test('2100 is none', () => assert.equal(isLeap(2100), false));
test('2000 was one', () => assert.equal(isLeap(2000), true));
`,
    weakened: `import { daysIn, isLeap } from '../src/calendar.js';
test('leap years', () => assert.equal(isLeap(2024), true));
test('1900', () => assert.equal(daysIn(2, 1900), 29));
test('2023 was none', () => assert.equal(isLeap(2023), false));
`,
  },
  {
    name: 'query',
    language: 'js',
    source: `export function parseQuery(text) {
  const found = {};
  for (const part of text.split('&')) {
    @fix@
  }
  return found;
}

export function renderQuery(values) {
  @spare@
}
`,
    bug: "const [key, value] = part.split('=');\n    found[key] = value;",
    fix: "const at = part.indexOf('=');\n    if (at > 0) found[part.slice(0, at)] = decodeURIComponent(part.slice(at + 1));",
    wrong:
      "const [key, value = ''] = part.split('=');\n    found[key] = value.replace('%20', ' ');",
    spare: [
      "return Object.entries(values).map(([key, value]) => key + '=' + encodeURIComponent(value)).join('&');",
      "return Object.keys(values).map(key => key + '=' + encodeURIComponent(values[key])).join('&');",
    ],
    tests: `import { parseQuery } from '../src/query.js';
test('decodes', () => assert.deepEqual(parseQuery('a=b%20c&d=e'), { a: 'b c', d: 'e' }));
`,
    hidden: `import { parseQuery } from '../src/query.js';
test('keeps further signs', () => assert.deepEqual(parseQuery('a=b=c'), { a: 'b=c' }));
test('decodes all', () => assert.deepEqual(parseQuery('a=1%20%2B%202'), { a: '1 + 2' }));
`,
  },
  {
    name: 'access',
    language: 'js',
    source: `const ranks = { reader: 1, writer: 2, admin: 3 };

export function mayEdit(user, document) {
  @fix@
}

export function rankOf(user) {
  return ranks[user.role] ?? 0;
}

export function greeting(user) {
  @spare@
}
`,
    bug: 'return rankOf(user) > ranks.writer || user.id === document.owner;',
    fix: 'return !document.locked && (rankOf(user) >= ranks.writer || user.id === document.owner);',
    wrong: 'return rankOf(user) >= ranks.writer || user.id === document.owner;',
    spare: ["return 'Hello ' + user.name;", "return ['Hello', user.name].join(' ');"],
    tests: `import { mayEdit } from '../src/access.js';
const page = { owner: 1, locked: false };
test('writers edit', () => assert.equal(mayEdit({ id: 2, role: 'writer' }, page), true));
test('readers do not', () => assert.equal(mayEdit({ id: 2, role: 'reader' }, page), false));
test('owners do', () => assert.equal(mayEdit({ id: 1, role: 'reader' }, page), true));
`,
    hidden: `import { mayEdit } from '../src/access.js';
test('nobody edits what is locked', () =>
  assert.equal(mayEdit({ id: 1, role: 'admin' }, { owner: 1, locked: true }), false));
`,
    weakened: `import { mayEdit } from '../src/access.js';
const page = { owner: 1, locked: false };
test('admins edit', () => assert.equal(mayEdit({ id: 2, role: 'admin' }, page), true));
test('readers do not', () => assert.equal(mayEdit({ id: 2, role: 'reader' }, page), false));
test('owners do', () => assert.equal(mayEdit({ id: 1, role: 'reader' }, page), true));
`,
  },
  {
    name: 'csv',
    language: 'js',
    source: `/** Splits a line of CSV. */
export function fieldsOf(line) {
  const fields = [];
  let field = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    @fix@
    else if (c === ',' && !isQuoted) {
      fields.push(field);
      field = '';
    } else field += c;
  }
  return [...fields, field];
}

export function header(names) {
  @spare@
}
`,
    bug: "if (c === '\\t') field += ' ';",
    fix: "if (c === '\"' && isQuoted && line[i + 1] === '\"') {\n      field += c;\n      i += 1;\n    } else if (c === '\"') isQuoted = !isQuoted;",
    wrong: "if (c === '\"') isQuoted = !isQuoted;",
    spare: ["return names.join(',') + '\\n';", "return names.join(',').concat('\\n');"],
    tests: `import { fieldsOf } from '../src/csv.js';
test('plain', () => assert.deepEqual(fieldsOf('a,b'), ['a', 'b']));
test('quoted', () => assert.deepEqual(fieldsOf('a,"b,c"'), ['a', 'b,c']));
`,
    hidden: `import { fieldsOf } from '../src/csv.js';
test('doubled quotes', () => assert.deepEqual(fieldsOf('"a ""b"""'), ['a "b"']));
`,
  },
];
