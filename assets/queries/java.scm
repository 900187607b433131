; What defines a name and what is called, as a tags query. What stands in an `@open` node counts as if it
; stood where that does; in a `@whole` one, too, with the lines of the whole. The first pattern wins.

(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.method

(class_body) @open
(interface_body) @open
(enum_body) @open
(enum_body_declarations) @open

(method_invocation name: (_) @name) @reference.call
(object_creation_expression type: (_) @name) @reference.class
