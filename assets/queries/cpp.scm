; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.
; A declarator stands for the name inside it.

(function_definition declarator: (_) @name) @definition.function
(class_specifier name: (_) @name body: (_)) @definition.class
(struct_specifier name: (_) @name body: (_)) @definition.class
(union_specifier name: (_) @name body: (_)) @definition.class
(enum_specifier name: (_) @name body: (_)) @definition.enum
(namespace_definition name: (_) @name) @definition.module
(type_definition type: (enum_specifier !name) declarator: (_) @name) @definition.enum
(type_definition declarator: (_) @name) @definition.type
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type
(declaration declarator: (function_declarator) @name) @definition.function
(declaration declarator: (pointer_declarator declarator: (function_declarator) @name)) @definition.function
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator) @name))) @definition.function
(declaration declarator: (reference_declarator (function_declarator) @name)) @definition.function
(declaration declarator: (_) @name) @definition.variable
(field_declaration declarator: (function_declarator) @name) @definition.method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator) @name)) @definition.method
(field_declaration declarator: (reference_declarator (function_declarator) @name)) @definition.method
(enumerator name: (_) @name) @definition.constant
(preproc_def name: (_) @name) @definition.constant
(preproc_function_def name: (_) @name) @definition.macro

(template_declaration) @open
(field_declaration_list) @open
(field_declaration type: [(class_specifier) (struct_specifier) (union_specifier) (enum_specifier)]) @open
(enum_specifier !name) @open
(enumerator_list) @open
(preproc_if) @open
(preproc_ifdef) @open
(preproc_else) @open
(preproc_elif) @open
(linkage_specification) @open
(declaration_list) @open

