; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(function_declaration name: (_) @name) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @container)) name: (_) @name) @definition.method
(type_spec name: (_) @name type: (interface_type)) @definition.interface
(type_spec name: (_) @name) @definition.type
(method_elem name: (_) @name) @definition.method
(type_alias name: (_) @name) @definition.type
(const_spec name: (_) @name) @definition.constant
(var_spec name: (_) @name) @definition.variable

(type_declaration) @open
(const_declaration) @open
(var_declaration) @open
(var_spec_list) @open
(interface_type) @open

