; What defines a name and what is called, as a tags query. What stands in an `@open` node counts as if it
; stood where that does; in a `@whole` one, too, with the lines of the whole. The first pattern wins.

(class_declaration (type_identifier) @name) @definition.class
(object_declaration (type_identifier) @name) @definition.class
(companion_object (type_identifier) @name) @definition.class
(function_declaration (simple_identifier) @name) @definition.function
(property_declaration (variable_declaration (simple_identifier) @name)) @definition.variable
(property_declaration (multi_variable_declaration (variable_declaration (simple_identifier) @name))) @definition.variable
(type_alias . (type_identifier) @name) @definition.type

(companion_object) @open
(class_body) @open
(enum_class_body) @open

(call_expression . (_) @name) @reference.call
