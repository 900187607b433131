; What defines a name and what is called, as a tags query. What stands in an `@open` node counts as if it
; stood where that does; in a `@whole` one, too, with the lines of the whole. The first pattern wins.

(function_definition name: (_) @name) @definition.function

(command name: (_) @name) @reference.call
