; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(class_declaration name: (_) @name) @definition.class
(protocol_declaration name: (_) @name) @definition.interface
(function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(init_declaration name: _ @name) @definition.method
(property_declaration name: (pattern bound_identifier: (_) @name)) @definition.variable
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @definition.property
(enum_entry name: (simple_identifier) @name) @definition.constant
(associatedtype_declaration name: (_) @name) @definition.type
(typealias_declaration . name: (type_identifier) @name) @definition.type

(class_body) @open
(enum_class_body) @open
(protocol_body) @open

