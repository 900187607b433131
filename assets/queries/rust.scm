; A tags query for definitions. Definitions inside an `@open` node count as if they replaced the
; node; inside a `@whole` node, they also get its lines. The first matching pattern wins.

(function_item name: (_) @name) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name) @definition.class
(union_item name: (_) @name) @definition.class
(enum_item name: (_) @name) @definition.enum
(trait_item name: (_) @name) @definition.interface
(impl_item type: (_) @name) @definition.class
(mod_item name: (_) @name) @definition.module
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.constant
(enum_variant name: (_) @name) @definition.constant
(macro_definition name: (_) @name) @definition.macro

(declaration_list) @open
(enum_variant_list) @open
(foreign_mod_item) @open

