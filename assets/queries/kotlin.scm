; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(class_declaration (type_identifier) @name) @definition.class
(object_declaration (type_identifier) @name) @definition.class
(companion_object (type_identifier) @name) @definition.class
(function_declaration (simple_identifier) @name) @definition.function
(property_declaration (variable_declaration (simple_identifier) @name)) @definition.variable
(property_declaration (multi_variable_declaration (variable_declaration (simple_identifier) @name))) @definition.variable
(enum_entry (simple_identifier) @name) @definition.constant
(type_alias . (type_identifier) @name) @definition.type

(companion_object) @open
(class_body) @open
(enum_class_body) @open

