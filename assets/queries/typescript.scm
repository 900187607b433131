; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(function_signature name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(abstract_class_declaration name: (_) @name) @definition.class
(method_definition name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(method_signature name: (_) @name) @definition.method
(property_signature name: (_) @name) @definition.property
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(public_field_definition name: (_) @name value: (class)) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(enum_body name: (_) @name @definition.constant)
(enum_body (enum_assignment name: (_) @name) @definition.constant)
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(variable_declarator name: (_) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(variable_declarator name: (_) @name value: (class)) @definition.class
(variable_declarator name: (_) @name) @definition.variable
(assignment_expression left: (member_expression) @name right: [(arrow_function) (function_expression) (generator_function)]) @definition.method
(assignment_expression left: (member_expression) @name right: (class)) @definition.class
(assignment_expression left: (member_expression) @name right: (assignment_expression right: [(arrow_function) (function_expression)])) @definition.method
(assignment_expression right: (assignment_expression left: (member_expression) @name right: [(arrow_function) (function_expression)])) @definition.method
(assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression) (generator_function)]) @definition.function

(export_statement) @whole
(ambient_declaration) @open
(lexical_declaration) @open
(variable_declaration) @open
(class_body) @open
(interface_body) @open
(statement_block) @open
(expression_statement) @open

