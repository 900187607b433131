/** Adds a missing import, or imports another name of the same module. */
import type { Node } from 'web-tree-sitter';
import { isMemberName } from '../ingredients.ts';
import { type EditProposal, insertAt, replace, type Site, type Template } from '../template.ts';

/** Names of Python's standard library by the module that has them. */
const modules: Readonly<Record<string, string>> = {
  collections: 'defaultdict Counter deque namedtuple OrderedDict',
  datetime: 'datetime date timedelta timezone',
  functools: 'reduce lru_cache partial wraps cmp_to_key cache',
  itertools: 'chain product permutations combinations groupby accumulate count cycle islice',
  math: 'sqrt floor ceil gcd pi inf log isclose',
  dataclasses: 'dataclass field',
  decimal: 'Decimal',
  fractions: 'Fraction',
  pathlib: 'Path',
  copy: 'deepcopy',
  heapq: 'heappush heappop heapify',
  bisect: 'bisect_left bisect_right insort',
  contextlib: 'contextmanager suppress',
  enum: 'Enum',
};
const plainModules =
  /^(math|re|json|os|sys|time|random|string|copy|heapq|bisect|itertools|functools|collections|operator|datetime|csv|io|decimal|hashlib|shutil|textwrap|urllib|unicodedata|asyncio|inspect|logging|types|typing|uuid|statistics|struct|subprocess|tempfile|threading|traceback|warnings)$/;
const builtins =
  /^(node:)?(fs|path|os|util|url|assert|crypto|events|stream|http|https|zlib|child_process|buffer|querystring|readline|timers)$/;

export const missingImport: Template = {
  id: 'import',
  title: 'a missing or wrong import',
  source:
    'missing import of BugsInPy (Widyasari et al. 2020) and BugsJS (Gyimesi et al. 2019); "Change Identifier Used" of ManySStuBs4J (Karampatsis, Sutton 2020)',
  prior: 0.7,
  *propose(site) {
    const { node, language, names, text } = site;
    if (/^(import_specifier|aliased_import)$/.test(node.type) || isImportedName(node)) {
      yield* otherName(site);
      return;
    }
    if (!language.types.name.has(node.type) || isMemberName(node, language)) return;
    if (names(node).some(n => n.name === node.text)) return;
    const at = startOfImports(text);
    for (const line of new Set(statementsFor(site))) yield insertAt(at, `${line}\n`);
  },
};

const isImportedName = ({ type, parent }: Node) =>
  type === 'dotted_name' &&
  parent?.type === 'import_from_statement' &&
  parent.childForFieldName('module_name')?.text !== undefined;

/** Another name that files of the project import from the module, or that it declares. */
function* otherName({ node, ingredients }: Site): Iterable<EditProposal> {
  const name = node.childForFieldName('name') ?? node;
  for (const other of ingredients.imports.keys())
    if (other !== name.text) yield replace(name, other, 0.3);
}

/** After the first comment, directive and docstring. */
function startOfImports(text: string): number {
  const head =
    /^(#!.*\n|#.*\n|\/\/.*\n|\/\*[\s\S]*?\*\/\n|["']use strict["'];?\n|"""[\s\S]*?"""\n|'''[\s\S]*?'''\n|\s*\n)*/;
  return head.exec(text)?.[0].length ?? 0;
}

function* statementsFor({ node, language, ingredients, text }: Site): Iterable<string> {
  const name = node.text;
  const known = ingredients.imports.get(name);
  if (known !== undefined) yield* known;
  if (language.name === 'python') {
    if (plainModules.test(name)) yield `import ${name}`;
    for (const [module, list] of Object.entries(modules))
      if (list.split(' ').includes(name)) yield `from ${module} import ${name}`;
    return;
  }
  if (!builtins.test(name)) return;
  const isModule = /^[ \t]*(import|export)\b/m.test(text);
  yield isModule
    ? `import ${name} from 'node:${name}';`
    : `const ${name} = require('node:${name}');`;
}
