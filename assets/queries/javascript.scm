; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(method_definition name: (_) @name) @definition.method
(field_definition property: (_) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(field_definition property: (_) @name value: (class)) @definition.class
(variable_declarator name: (_) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(variable_declarator name: (_) @name value: (class)) @definition.class
(variable_declarator name: (_) @name) @definition.variable
(assignment_expression left: (member_expression) @name right: [(arrow_function) (function_expression) (generator_function)]) @definition.method
(assignment_expression left: (member_expression) @name right: (class)) @definition.class
(assignment_expression left: (member_expression) @name right: (assignment_expression right: [(arrow_function) (function_expression)])) @definition.method
(assignment_expression right: (assignment_expression left: (member_expression) @name right: [(arrow_function) (function_expression)])) @definition.method
(assignment_expression left: (identifier) @name right: [(arrow_function) (function_expression) (generator_function)]) @definition.function

(export_statement) @whole
(lexical_declaration) @open
(variable_declaration) @open
(class_body) @open
(statement_block) @open
(expression_statement) @open

