; What defines a name and what is called, as a tags query. What stands in an `@open` node counts as if it
; stood where that does; in a `@whole` one, too, with the lines of the whole. The first pattern wins.

(class_declaration name: (_) @name) @definition.class
(protocol_declaration name: (_) @name) @definition.interface
(function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(init_declaration name: _ @name) @definition.method
(property_declaration name: (pattern bound_identifier: (_) @name)) @definition.variable
(typealias_declaration . name: (type_identifier) @name) @definition.type

(class_body) @open
(enum_class_body) @open
(protocol_body) @open

(call_expression . (_) @name) @reference.call
