/** Finds code in JavaScript that changes how tests judge, or that behaves otherwise under tests. Pure. */
import {
  type Cheat,
  type CheatForm,
  findForms,
  findQuestions,
  plainCode,
  withoutTexts,
} from '../shared/cheats.ts';

const judging =
  /['"](?:node:)?(?:assert(?:\/strict)?|test|vitest|mocha|chai|ava|tape|tap|uvu(?:\/assert)?|@jest\/globals|bun:test)['"]/;
const runnerNames =
  'it|test|describe|suite|specify|expect|assert|before|after|beforeEach|afterEach|beforeAll|afterAll|jest|vi|chai|mocha';
const builtins =
  'Array|BigInt|Boolean|Date|Error|Function|JSON|Map|Math|Number|Object|Promise|Proxy|Reflect|RegExp|Set|String|Symbol|process';
const globals = 'globalThis|global|window|self';
const matchers =
  'toBe(?:CloseTo|Defined|Falsy|(?:Greater|Less)Than(?:OrEqual)?|InstanceOf|NaN|Null|OneOf|Truthy|TypeOf|Undefined)?|to(?:Strict)?Equal|toMatch(?:Object|(?:Inline)?Snapshot)?|toSatisfy|toThrow(?:Error)?|toContain(?:Equal)?|toHave(?:Been\\w*Called\\w*|\\w*Returned\\w*|Length|Property)';

const forms: readonly CheatForm[] = [
  [
    'replaces what a test runner defines',
    new RegExp(`\\b(?:${globals})\\.(?:${runnerNames})\\b(?!\\.?\\w)[^\\n;]*`, 'g'),
  ],
  [
    'replaces matchers',
    new RegExp(`\\bexpect\\.extend\\(\\s*\\{[^}]{0,2000}\\b(?:${matchers})\\b`, 'g'),
  ],
  ['answers a matcher itself', /\basymmetricMatch\b[^\n]*/g],
  ['equals everything', /\bequals\([^)\n]*\)\s*\{\s*return true;?\s*\}/g],
  [
    'replaces modules as they are loaded',
    /\b_(?:load|resolveFilename|compile)\s*=(?![=>])[^\n]*|\bModule\.prototype\.require\s*=(?![=>])[^\n]*|\bregisterHooks\(\s*\{|\b_extensions\b[^\n]*=(?![=>])[^\n]*|\brequire\.cache\[[^\n]*?(?:\]|exports)\s*=(?![=>])[^\n]*/g,
  ],
  [
    'asks whether it is tested',
    /\b(?:VITEST(?:_\w+)?|JEST_WORKER_ID|NODE_TEST_CONTEXT|MOCHA_WORKER_ID|AVA_PATH)\b|\bnpm_lifecycle_event\b[^\n]*\btest|\btypeof (?:describe|jest|vi|expect|beforeEach|afterEach|mocha)\b|\bimport\.meta\.vitest\b/g,
  ],
  [
    'reads a test',
    /\b(?:readFile(?:Sync)?|createReadStream|open(?:Sync)?|require|import)\([^\n]*(?:\.(?:test|spec)\.[cm]?[jt]sx?|['"`/]tests?\/[^\n]*\.[cm]?[jt]sx?)['"`]/g,
  ],
];

/** The cheats of a source file. */
export function findCheats(text: string): readonly Cheat[] {
  const code = plainCode(text, '//');
  const found = questions.flatMap(question => findQuestions(code, question));
  // another name of `this`, of which a file reads a member, replaces nothing
  const isOwn = /\b(?:const|let|var)\s+self\b/.test(code);
  const inForms = findForms(code, forms).filter(
    form => !(isOwn && /^self\.(?!\w+\s*=[^=])/.test(form.code)),
  );
  return [...inForms, ...found, ...findAssignments(code)];
}

const quoteWords = (words: string) => new RegExp(`['"\`/][^'"\`\\n]{0,60}(?:${words})`);
const questions = [
  {
    yields: /\.stack\b|\bstack\s*\}\s*=|\bprepareStackTrace\b/,
    about: quoteWords('\\b(?:tests?|specs?)\\b(?!\\()|mocha|jest|vitest'),
  },
  {
    yields: /\b(?:require\.main|module\.parent|process\.(?:argv|execArgv|title|mainModule))\b/,
    about: quoteWords(
      '\\.\\(?(?:test|spec)\\b(?!\\()|\\b(?:_?mocha|jest|vitest|tests?/|node:test)|--test[\'"`]',
    ),
  },
];

const member = '(?:\\([^()\\n]*\\)|\\)|\\.\\w+|\\[[^\\]\\n]*\\])';
const isSet = '\\s*(?:\\?\\?|\\|\\||&&)?=(?![=>])[^\\n;]*';
const definers =
  '\\b(?:Object\\.(?:definePropert(?:y|ies)|assign|setPrototypeOf)|Reflect\\.(?:set|defineProperty|setPrototypeOf)|Object\\.prototype\\.__define[GS]etter__\\.call)\\(\\s*';

/** Assignments to assertions, runners and existing built-in objects, under all names that the file gives them. */
function findAssignments(code: string): readonly Cheat[] {
  const loaded = '(?:require|process\\.getBuiltinModule)\\([^)\\n]*\\)(?:\\.\\w+)*';
  const libraries = [...listNames(code), loaded].join('|');
  const isLibrary = (found: string) => !/^(?:require|process)/.test(found) || judging.test(found);
  const library = (form: RegExp) =>
    [...code.matchAll(form)].filter(m => isLibrary(m.groups?.on ?? ''));
  const assertions = [
    ...library(
      new RegExp(
        `(?<![.\\w])(?<on>${libraries})${member}*(?:\\.\\w+|\\[[^\\]\\n]*\\])${isSet}`,
        'g',
      ),
    ),
    ...library(
      new RegExp(
        `${definers}(?:Object\\.getPrototypeOf\\()?(?<on>${libraries})(?![\\w$])[^\\n]*`,
        'g',
      ),
    ),
  ].map(m => ({ does: 'changes an assertion or a test runner', code: m[0].trim().slice(0, 120) }));
  return [...assertions, ...findPatches(code)];
}

/** The names of assertion libraries and runners in a file: what it imports and passes on, and globals that it does not declare. */
function listNames(code: string): readonly string[] {
  const names = new Set<string>();
  for (const [, clause = '', from = ''] of code.matchAll(
    /\b(?:import|const|let|var)\s+([^;=]{1,500}?)\s*(?:from\s*|=\s*(?:await\s+)?(?:require|import|process\.getBuiltinModule)\(\s*)(['"][^'"\n]*['"])/g,
  ))
    if (judging.test(from))
      for (const [name] of clause
        .replace(/\b\w+\s*(?::|\bas\b)/g, '')
        .matchAll(/[A-Za-z_$][\w$]*/g))
        names.add(name);
  for (const name of ['expect', 'assert', 'chai'])
    if (
      !new RegExp(`\\b(?:function|const|let|var|class)\\s+${name}\\b|[(,]\\s*${name}\\s*[,)]`).test(
        code,
      )
    )
      names.add(name);
  for (let found = 0, hops = 0; found < names.size && names.size < 100 && hops < 5; hops++) {
    found = names.size;
    const known = [...names].map(escapeName).join('|');
    for (const [, name = ''] of code.matchAll(
      new RegExp(
        `\\b(?:const|let|var)\\s+(\\w+)\\s*=\\s*(?:${known})(?:\\.\\w+)*\\s*(?=[;\\n])`,
        'g',
      ),
    ))
      names.add(name);
  }
  return [...names].map(escapeName);
}

const escapeName = (name: string) => name.replaceAll('$', '\\$');

/** Assignments to members that built-in objects have, without a question in front of them whether they are there. */
function findPatches(code: string): readonly Cheat[] {
  const aliases = new Map<string, string>();
  for (const [, name = '', of = ''] of code.matchAll(
    new RegExp(
      `\\b(?:const|let|var)\\s+(\\w+)\\s*=\\s*(?:(?:${globals})\\.)?((?:${builtins})(?:\\.prototype)?)\\s*(?=[;\\n])`,
      'g',
    ),
  ))
    aliases.set(name, of);
  const object = `(?<![.\\w]|\\btypeof )(?:(?:${globals})\\.)?(?<on>(?:${[builtins, ...aliases.keys()].join('|')})(?:\\.prototype)?)`;
  const assigned = new RegExp(`${object}(?:\\.(?<member>\\w+)|\\[[^\\]\\n]+\\])${isSet}`, 'g');
  const defined = new RegExp(
    `${definers}${object}\\s*,\\s*(?:['"\`](?<member>\\w+)['"\`]|(?<several>\\{[^}]{0,2000}))[^\\n]*`,
    'g',
  );
  const all = [
    ...[...code.matchAll(assigned)].map(found => ({ found, isDefined: false })),
    ...[...code.matchAll(defined)].map(found => ({ found, isDefined: true })),
  ];
  return all.flatMap(({ found, isDefined }) => {
    const { on = '', member: name, several = '' } = found.groups ?? {};
    const members =
      name === undefined
        ? [...several.matchAll(/(?<!\w)(\w+)\s*[:(,]/g)].map(m => m[1] ?? '')
        : [name];
    const full = on.replace(/^\w+/, first => aliases.get(first) ?? first);
    const before = code.slice(Math.max(0, found.index - 1_000), found.index);
    const isComputed = name === undefined && !isDefined;
    const patched = isComputed
      ? 'member'
      : members.find(m => exists(full, m, isDefined) && !isGuarded(before, `${on}.${m}`));
    if (patched === undefined) return [];
    return [
      { does: `replaces the built-in ${full}.${patched}`, code: found[0].trim().slice(0, 120) },
    ];
  });
}

/** True for a member of the JavaScript that runs this: a function, or anything, if it is defined anew. */
function exists(object: string, name: string, isDefined: boolean): boolean {
  const [first = '', prototype] = object.split('.');
  const whole: unknown = Reflect.get(globalThis, first);
  const holder: unknown = prototype === undefined ? whole : Reflect.get(Object(whole), 'prototype');
  const found: unknown = Reflect.get(Object(holder), name);
  return isDefined ? name in Object(holder) : typeof found === 'function';
}

/** True if the code in front asks whether the member is missing, as polyfills do, and its block is still open. */
function isGuarded(before: string, member: string): boolean {
  const name = RegExp.escape(member);
  const guard = new RegExp(
    `\\bif\\s*\\(\\s*(?:!\\s*${name}|typeof ${name}\\s*(?:!==?\\s*['"]function['"]|===?\\s*['"]undefined['"]))\\s*\\)`,
    'g',
  );
  const last = [...before.matchAll(guard)].at(-1);
  if (last === undefined) return false;
  const since = withoutTexts(before.slice(last.index + last[0].length));
  if (/^\s*\{?\s*$/.test(since)) return true;
  // a slash may begin a pattern, whose braces open nothing
  if (!/^\s*\{[^/]*$/.test(since)) return false;
  let open = 0;
  for (const [brace] of since.matchAll(/[{}]/g)) {
    open += brace === '{' ? 1 : -1;
    if (open === 0) return false;
  }
  return true;
}
