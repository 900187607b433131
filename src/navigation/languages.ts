/** Which grammar reads a file, and which of its nodes are definitions. Data. */

/** Function, class, method, interface, type, enum, variable or constant, namespace. */
export type SymbolKind = 'F' | 'C' | 'M' | 'I' | 'T' | 'E' | 'V' | 'N';

export interface Language {
  /** File `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  /** Node types that define something, and what. */
  readonly definitions: Readonly<Record<string, SymbolKind>>;
  /** Node types whose children are looked at without being definitions themselves. */
  readonly transparent: readonly string[];
  /** Node types of calls, and the field that holds what is called; empty: the first child. */
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

const cFamily = {
  definitions: {
    function_definition: 'F',
    struct_specifier: 'C',
    union_specifier: 'C',
    enum_specifier: 'E',
    type_definition: 'T',
    declaration: 'V',
    preproc_def: 'V',
    preproc_function_def: 'F',
  },
  transparent: [
    'preproc_if',
    'preproc_ifdef',
    'preproc_else',
    'preproc_elif',
    'linkage_specification',
    'declaration_list',
  ],
  calls: { call_expression: 'function' },
} as const;

const c: Language = { grammar: 'c', ...cFamily };

const cpp: Language = {
  grammar: 'cpp',
  definitions: {
    ...cFamily.definitions,
    class_specifier: 'C',
    namespace_definition: 'N',
    alias_declaration: 'T',
    concept_definition: 'T',
    field_declaration: 'M',
  },
  transparent: [...cFamily.transparent, 'template_declaration', 'field_declaration_list'],
  calls: { call_expression: 'function', new_expression: 'type' },
};

const csharp: Language = {
  grammar: 'c-sharp',
  definitions: {
    namespace_declaration: 'N',
    class_declaration: 'C',
    struct_declaration: 'C',
    record_declaration: 'C',
    interface_declaration: 'I',
    enum_declaration: 'E',
    delegate_declaration: 'T',
    method_declaration: 'M',
    constructor_declaration: 'M',
    property_declaration: 'M',
    local_function_statement: 'F',
  },
  transparent: ['declaration_list', 'global_statement'],
  calls: { invocation_expression: 'function', object_creation_expression: 'type' },
};

const kotlin: Language = {
  grammar: 'kotlin',
  definitions: {
    class_declaration: 'C',
    object_declaration: 'C',
    companion_object: 'C',
    function_declaration: 'F',
    property_declaration: 'V',
    type_alias: 'T',
  },
  transparent: ['class_body', 'enum_class_body'],
  calls: { call_expression: '' },
};

const swift: Language = {
  grammar: 'swift',
  definitions: {
    class_declaration: 'C',
    protocol_declaration: 'I',
    function_declaration: 'F',
    protocol_function_declaration: 'M',
    init_declaration: 'M',
    property_declaration: 'V',
    typealias_declaration: 'T',
  },
  transparent: ['class_body', 'enum_class_body', 'protocol_body'],
  calls: { call_expression: '' },
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
  c,
  h: c,
  cc: cpp,
  cpp,
  cxx: cpp,
  hh: cpp,
  hpp: cpp,
  hxx: cpp,
  cs: csharp,
  kt: kotlin,
  kts: kotlin,
  swift,
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
