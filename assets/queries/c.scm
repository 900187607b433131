; What defines a name and what is called, as a tags query. What stands in an `@open` node counts as if it
; stood where that does; in a `@whole` one, too, with the lines of the whole. The first pattern wins.
; A name that is a declarator is followed to its innermost one.

(function_definition declarator: (_) @name) @definition.function
(struct_specifier name: (_) @name body: (_)) @definition.class
(union_specifier name: (_) @name body: (_)) @definition.class
(enum_specifier name: (_) @name body: (_)) @definition.enum
(type_definition declarator: (_) @name) @definition.type
(declaration declarator: (function_declarator) @name) @definition.function
(declaration declarator: (pointer_declarator declarator: (function_declarator) @name)) @definition.function
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator) @name))) @definition.function
(declaration declarator: (_) @name) @definition.variable
(preproc_def name: (_) @name) @definition.constant
(preproc_function_def name: (_) @name) @definition.macro

(preproc_if) @open
(preproc_ifdef) @open
(preproc_else) @open
(preproc_elif) @open
(linkage_specification) @open
(declaration_list) @open

(call_expression function: (_) @name) @reference.call
