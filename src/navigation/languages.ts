/** Which grammar reads a file, and which of its nodes are definitions. Data. */

/** Function, class, method, interface, type, enum, variable or constant, namespace. */
export type SymbolKind = 'F' | 'C' | 'M' | 'I' | 'T' | 'E' | 'V' | 'N';

export interface Language {
  /** File `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  /** Node types that define something, and what. Their `name` field is the name. */
  readonly definitions: Readonly<Record<string, SymbolKind>>;
  /** Node types whose children are looked at without being definitions themselves. */
  readonly transparent: readonly string[];
  /** Node types of calls, and the field that holds what is called. */
  readonly calls: Readonly<Record<string, string>>;
}

const script: Omit<Language, 'grammar'> = {
  definitions: {
    function_declaration: 'F',
    generator_function_declaration: 'F',
    function_signature: 'F',
    class_declaration: 'C',
    abstract_class_declaration: 'C',
    method_definition: 'M',
    abstract_method_signature: 'M',
    field_definition: 'V',
    public_field_definition: 'V',
    interface_declaration: 'I',
    type_alias_declaration: 'T',
    enum_declaration: 'E',
    internal_module: 'N',
    module: 'N',
    variable_declarator: 'V',
  },
  transparent: [
    'export_statement',
    'ambient_declaration',
    'lexical_declaration',
    'variable_declaration',
    'class_body',
    'statement_block',
    'expression_statement',
  ],
  calls: { call_expression: 'function', new_expression: 'constructor' },
};

const python: Language = {
  grammar: 'python',
  definitions: { function_definition: 'F', class_definition: 'C', assignment: 'V' },
  transparent: [
    'decorated_definition',
    'block',
    'expression_statement',
    'if_statement',
    'try_statement',
  ],
  calls: { call: 'function' },
};

const go: Language = {
  grammar: 'go',
  definitions: {
    function_declaration: 'F',
    method_declaration: 'M',
    type_spec: 'T',
    type_alias: 'T',
    const_spec: 'V',
    var_spec: 'V',
  },
  transparent: ['type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list'],
  calls: { call_expression: 'function' },
};

const rust: Language = {
  grammar: 'rust',
  definitions: {
    function_item: 'F',
    function_signature_item: 'F',
    struct_item: 'C',
    union_item: 'C',
    enum_item: 'E',
    trait_item: 'I',
    impl_item: 'C',
    mod_item: 'N',
    type_item: 'T',
    const_item: 'V',
    static_item: 'V',
    macro_definition: 'F',
  },
  transparent: ['declaration_list'],
  calls: { call_expression: 'function', macro_invocation: 'macro' },
};

const java: Language = {
  grammar: 'java',
  definitions: {
    class_declaration: 'C',
    record_declaration: 'C',
    interface_declaration: 'I',
    annotation_type_declaration: 'I',
    enum_declaration: 'E',
    method_declaration: 'M',
    constructor_declaration: 'M',
  },
  transparent: ['class_body', 'interface_body', 'enum_body', 'enum_body_declarations'],
  calls: { method_invocation: 'name', object_creation_expression: 'type' },
};

const ruby: Language = {
  grammar: 'ruby',
  definitions: { method: 'M', singleton_method: 'M', class: 'C', module: 'N' },
  transparent: ['body_statement'],
  calls: { call: 'method' },
};

const php: Language = {
  grammar: 'php',
  definitions: {
    function_definition: 'F',
    method_declaration: 'M',
    class_declaration: 'C',
    trait_declaration: 'C',
    interface_declaration: 'I',
    enum_declaration: 'E',
    namespace_definition: 'N',
  },
  transparent: ['declaration_list', 'compound_statement', 'enum_declaration_list'],
  calls: {
    function_call_expression: 'function',
    member_call_expression: 'name',
    scoped_call_expression: 'name',
  },
};

const bash: Language = {
  grammar: 'bash',
  definitions: { function_definition: 'F' },
  transparent: [],
  calls: { command: 'name' },
};

const javascript: Language = { grammar: 'javascript', ...script };
const typescript: Language = { grammar: 'typescript', ...script };
const tsx: Language = { grammar: 'tsx', ...script };

const byExtension: Readonly<Record<string, Language>> = {
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: javascript,
  ts: typescript,
  mts: typescript,
  cts: typescript,
  tsx,
  py: python,
  pyi: python,
  go,
  rs: rust,
  java,
  rb: ruby,
  rake: ruby,
  php,
  sh: bash,
  bash,
};

/** Every grammar that the index can ask for. */
export const grammars: readonly string[] = [
  ...new Set(Object.values(byExtension).map(l => l.grammar)),
];

/** The language of a path by its extension, or null. */
export function languageOf(path: string): Language | null {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null;
}
