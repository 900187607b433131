; What defines a name and what is called, as a tags query. What stands in an `@open` node counts as if it
; stood where that does; in a `@whole` one, too, with the lines of the whole. The first pattern wins.

(function_definition name: (_) @name) @definition.function
(method_declaration name: (_) @name) @definition.method
(class_declaration name: (_) @name) @definition.class
(trait_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(namespace_definition name: (_) @name) @definition.module

(declaration_list) @open
(compound_statement) @open
(enum_declaration_list) @open

(function_call_expression function: (_) @name) @reference.call
(member_call_expression name: (_) @name) @reference.call
(scoped_call_expression name: (_) @name) @reference.call
