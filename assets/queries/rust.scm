; What defines a name and what is called, as a tags query. What stands in an `@open` node counts as if it
; stood where that does; in a `@whole` one, too, with the lines of the whole. The first pattern wins.

(function_item name: (_) @name) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name) @definition.class
(union_item name: (_) @name) @definition.class
(enum_item name: (_) @name) @definition.enum
(trait_item name: (_) @name) @definition.interface
(impl_item type: (_) @name) @definition.class
(mod_item name: (_) @name) @definition.module
(type_item name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.constant
(macro_definition name: (_) @name) @definition.macro

(declaration_list) @open

(call_expression function: (_) @name) @reference.call
(macro_invocation macro: (_) @name) @reference.call
