; A tags query for definitions and calls. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(function_definition name: (_) @name) @definition.function
(class_definition name: (_) @name) @definition.class
(assignment left: (_) @name) @definition.variable

(decorated_definition) @whole
(block) @open
(expression_statement) @open
(if_statement) @open
(try_statement) @open

(call function: (_) @name) @reference.call
