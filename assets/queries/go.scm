; What defines a name and what is called, as a tags query. What stands in an `@open` node counts as if it
; stood where that does; in a `@whole` one, too, with the lines of the whole. The first pattern wins.

(function_declaration name: (_) @name) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @container)) name: (_) @name) @definition.method
(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(const_spec name: (_) @name) @definition.constant
(var_spec name: (_) @name) @definition.variable

(type_declaration) @open
(const_declaration) @open
(var_declaration) @open
(var_spec_list) @open

(call_expression function: (_) @name) @reference.call
