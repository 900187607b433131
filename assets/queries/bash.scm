; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(function_definition name: (_) @name) @definition.function

(if_statement) @open
(elif_clause) @open
(else_clause) @open
(list) @open

