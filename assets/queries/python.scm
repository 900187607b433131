; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(function_definition name: (_) @name) @definition.function
(class_definition name: (_) @name) @definition.class
(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type
(assignment left: (_) @name) @definition.variable

(decorated_definition) @whole
(block) @open
(expression_statement) @open
(if_statement) @open
(elif_clause) @open
(else_clause) @open
(try_statement) @open
(except_clause) @open
(finally_clause) @open
(with_statement) @open
(for_statement) @open
(while_statement) @open
(match_statement) @open
(case_clause) @open

