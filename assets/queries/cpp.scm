; What C++ has besides the query of C, which follows.

(class_specifier name: (_) @name body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.module
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type
(declaration declarator: (reference_declarator (function_declarator) @name)) @definition.function
(field_declaration declarator: (function_declarator) @name) @definition.method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator) @name)) @definition.method
(field_declaration declarator: (reference_declarator (function_declarator) @name)) @definition.method

(template_declaration) @open
(field_declaration_list) @open
(field_declaration type: [(class_specifier) (struct_specifier) (union_specifier) (enum_specifier)]) @open
