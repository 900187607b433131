; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(method_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
(compact_constructor_declaration name: (_) @name) @definition.method
(enum_constant name: (_) @name) @definition.constant
(constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.constant
(constructor_declaration name: (_) @name) @definition.method

(class_body) @open
(interface_body) @open
(annotation_type_body) @open
(enum_body) @open
(enum_body_declarations) @open

