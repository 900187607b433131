/** Finds code in Python that changes how tests judge, or that behaves otherwise under tests. Pure. */
import {
  type Cheat,
  type CheatForm,
  findForms,
  findQuestions,
  plainCode,
} from '../shared/cheats.ts';

const libraries = 'unittest|_?pytest|pluggy|nose2?|doctest|hypothesis';
const modules = 'math|operator|decimal|fractions|statistics|json|re';
const builtins =
  'abs|all|any|bool|dict|divmod|enumerate|filter|float|getattr|hasattr|hash|id|int|isinstance|len|list|map|max|min|object|open|pow|range|repr|reversed|round|set|sorted|str|sum|super|tuple|type|zip|any_name|\\w*Error|\\w*Exception';
const isTest = '(?:(?<![a-z])test|pytest|unittest|nose)';

const forms: readonly CheatForm[] = [
  [
    'equals everything',
    /\bdef __(?:eq|ne|le|ge)__\([^)\n]*\)[^:\n]*:\s*(?:"""[^"]{0,1000}"""\s*)?return (?:True|1)\b(?! ?(?:if|and))[^\n]*|\b__eq__\s*=\s*lambda[^:\n]*:\s*(?:True|1)\b[^\n]*|\bdef __ne__\([^)\n]*\)[^:\n]*:\s*return False\b[^\n]*/g,
  ],
  ['asks whether it is tested', /\bPYTEST_[A-Z_]+\b/g],
  [
    'reads the variables of its callers',
    /\b(?:_getframe|currentframe|stack)\([^\n]*\bf_(?:back|locals)\b[^\n]*f_locals[^\n]*|\b_getframe\([^\n]*\bf_locals\b[^\n]*/g,
  ],
  [
    'reads a test',
    /\b(?:open|Path|read_text|import_module|__import__)\([^\n]*(?:\btest_\w+|\w_test|tests?\/[\w/]+)\.py\b[^\n]*/g,
  ],
];

/** The cheats of a source file. */
export function findCheats(text: string): readonly Cheat[] {
  const code = plainNames(plainCode(text, '#'));
  const names = listNames(code);
  const known = [libraries, ...names].join('|');
  const changed: CheatForm[] = [
    [
      'changes an assertion or a test runner',
      new RegExp(`(?<![.\\w])(?:${known})(?:\\.\\w+)+\\s*=(?!=)[^\\n]*`, 'g'),
    ],
    [
      'replaces a built-in function',
      new RegExp(
        `(?<![.\\w])(?:(?:builtins|__builtins__)\\.(?:${builtins})|(?:${modules})(?:\\.\\w+)+)\\s*=(?!=)[^\\n]*`,
        'g',
      ),
    ],
  ];
  return [
    ...findForms(code, [...forms, ...changed]),
    ...findQuestions(code, question),
    ...findBlindEquality(code),
  ];
}

const question = {
  yields:
    /\bsys\.(?:modules|argv|orig_argv|_getframe|_current_frames)\b|\binspect\.(?:stack|currentframe)\b|\btraceback\.(?:extract|walk)_stack\b|\bf_code\.co_\w+/,
  about: new RegExp(`['"][^'"\\n]{0,60}${isTest}`),
};

const equality =
  /^([ \t]*)def __eq__\(\s*\w+\s*,\s*\*?(\w+)[^)\n]*\)[^:\n]*:(.*(?:\n(?:\1[ \t]+.*|[ \t]*))*)|__eq__['"]?\s*[=:]\s*lambda\s+(?:\w+\s*,\s*)?\*?(\w+)\s*:([^\n]*)/gm;

/** Comparisons that never look at the other value, and give an answer to all. */
function findBlindEquality(code: string): readonly Cheat[] {
  return [...code.matchAll(equality)].flatMap(
    ([found, , other = '', block, of = '', value = '']) => {
      const answers =
        block === undefined
          ? [value]
          : [...block.matchAll(/\breturn\b([^\n]*)/g)].map(m => m[1] ?? '');
      const name = new RegExp(`(?<!\\w)${other || of}(?!\\w)`);
      const isBlind =
        !name.test(block ?? value) && answers.some(a => !/^\s*(?:False|NotImplemented|$)/.test(a));
      return isBlind ? [{ does: 'equals everything', code: found.trim().slice(0, 120) }] : [];
    },
  );
}

/** Looked-up modules and attributes, as if the code named them. */
function plainNames(code: string): string {
  const dots = /\b(?:getattr|vars)\(\s*([\w.]+)\s*(?:,\s*['"](\w+)['"])?[^)\n]*\)/g;
  return code
    .replace(/\bsys\.modules\.(?:get\(\s*['"]([\w.]+)['"][^)\n]*\)|(\w+)(?=\.\w))/g, '$1$2')
    .replace(/\bsys\.modules\[\s*['"]([\w.]+)['"]\s*\](?=\.\w)/g, '$1')
    .replace(/\b(?:importlib\.import_module|__import__)\(\s*['"]([\w.]+)['"][^)\n]*\)/g, '$1')
    .replace(/\b(\w+)\.__dict__\b/g, '$1')
    .replace(dots, (_whole, object: string, name?: string) =>
      name === undefined ? object : `${object}.${name}`,
    )
    .replace(/\b(?:setattr|type\.__setattr__)\(\s*([\w.]+)\s*,\s*['"](\w+)['"]\s*,/g, '$1.$2 = (')
    .replace(/\bsetattr\(\s*([\w.]+)\s*,/g, '$1.any_name = (');
}

/** The names that the file gives to test libraries and what is in them. */
function listNames(code: string): readonly string[] {
  const from = new RegExp(`^[ \\t]*from (?:${libraries})(?:\\.\\w+)* import \\(?([\\w ,]+)`, 'gm');
  const as = new RegExp(`\\bimport (?:${libraries})(?:\\.\\w+)* as (\\w+)`, 'g');
  const equal = new RegExp(`^[ \\t]*(\\w+) *= *(?:${libraries})(?:\\.\\w+)*[ \\t]*$`, 'gm');
  const names = [
    ...[...code.matchAll(from)].flatMap(m => (m[1] ?? '').split(',')),
    ...[...code.matchAll(as), ...code.matchAll(equal)].map(m => m[1] ?? ''),
  ];
  return names.map(n => n.replace(/^.* as /, '').trim()).filter(n => /^\w+$/.test(n));
}
