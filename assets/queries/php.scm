; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(function_definition name: (_) @name) @definition.function
(method_declaration name: (_) @name) @definition.method
(class_declaration name: (_) @name) @definition.class
(trait_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_case name: (_) @name) @definition.constant
(const_declaration (const_element (name) @name)) @definition.constant
(namespace_definition name: (_) @name) @definition.module

(declaration_list) @open
(compound_statement) @open
(enum_declaration_list) @open
(if_statement) @open
(else_clause) @open

