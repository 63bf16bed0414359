/**
 * The texts of everything that the lexer, the parser and the validation find wrong, under the reference's issue
 * codes and in its wording. A table, and nothing but: so it may be long.
 */

import { aAn, aAnUpper } from './article.ts';

type Nothing = Record<never, never>;
/** The label of the node that is wrong, such as `Host Class Definition`. */
interface Labelled {
  readonly label: string;
}
interface Named {
  readonly name: string;
}
interface Valued {
  readonly value: string;
}

/** What each issue's text needs to know. */
export interface IssueValues {
  // Lexer
  readonly illegal_class_reference: Nothing;
  readonly illegal_fully_qualified_class_reference: Nothing;
  readonly illegal_fully_qualified_name: Nothing;
  readonly illegal_name_or_bare_word: Nothing;
  readonly illegal_number: Valued;
  readonly invalid_hex_number: Valued;
  readonly invalid_octal_number: Valued;
  readonly invalid_decimal_number: Valued;
  readonly illegal_unicode_escape: Nothing;
  /** Ruby's text for a code point that doesn't exist. */
  readonly invalid_byte_sequence: Nothing;
  readonly invalid_regexp: { readonly detail: string; readonly source: string };
  readonly unrecognized_escape: { readonly ch: string };
  readonly unclosed_quote: { readonly after: string; readonly followedBy: string };
  readonly unclosed_mlcomment: Nothing;
  readonly illegal_bom: { readonly formatName: string; readonly bytes: string };
  readonly heredoc_unclosed_parenthesis: { readonly followedBy: string };
  readonly heredoc_without_end_tagged_line: Nothing;
  readonly heredoc_invalid_escape: { readonly actual: string };
  readonly heredoc_invalid_syntax: Nothing;
  readonly heredoc_without_text: Nothing;
  readonly heredoc_empty_endtag: Nothing;
  readonly heredoc_multiple_at_escapes: { readonly escapes: readonly string[] };
  readonly epp_unbalanced_tag: Nothing;
  readonly epp_unbalanced_comment: Nothing;
  readonly epp_unbalanced_expression: Nothing;
  /** Ours: the reference runs out of stack. */
  readonly nesting_too_deep: Nothing;
  // Parser
  readonly syntax_error: { readonly where: string };
  readonly not_virtual: Nothing;
  readonly not_exported: Nothing;
  readonly resource_without_title_or_hash: Nothing;
  readonly not_a_resource: Nothing;
  readonly class_keyword_as_name: Nothing;
  readonly string_as_name: Nothing;
  readonly arguments_without_parentheses: Named;
  readonly illegal_argument_list: Nothing;
  readonly invalid_number_token: Valued;
  // Validation
  readonly not_top_level: Nothing;
  readonly not_absolute_top_level: Labelled;
  readonly cross_scope_assignment: Named;
  readonly illegal_assignment: Labelled;
  readonly illegal_numeric_assignment: Named;
  readonly illegal_assignment_context: Nothing;
  readonly illegal_numeric_parameter: Named;
  readonly illegal_indexed_assignment: Nothing;
  readonly appends_deletes_no_longer_supported: { readonly operator: string };
  readonly not_rvalue: Labelled;
  readonly illegal_attribute_append: Named & { readonly parent: string };
  readonly illegal_single_type_mapping: Labelled;
  readonly illegal_regexp_type_mapping: Labelled;
  readonly illegal_param_name: Named;
  readonly illegal_var_name: Named;
  readonly illegal_numeric_var_name: Named;
  readonly illegal_hostname_chars: { readonly hostname: string };
  readonly illegal_hostname_interpolation: Nothing;
  readonly illegal_expression: Labelled & { readonly feature: string; readonly container: string };
  readonly illegal_query_expression: Labelled;
  readonly not_virtualizeable: Nothing;
  readonly class_not_virtualizable: Nothing;
  readonly unsupported_expression: Labelled & { readonly product: string };
  readonly expression_not_supported_when_scripting: Labelled;
  readonly expression_not_supported_when_compiling: Labelled;
  readonly illegal_definition_name: Labelled & Named;
  readonly illegal_definition_location: Named & { readonly file: string };
  /** `name` is that of a named definition. */
  readonly illegal_top_construct_location: Labelled & { readonly name: string | undefined };
  readonly captures_rest_not_last: Named;
  readonly captures_rest_not_supported: Named & { readonly container: string };
  readonly illegal_epp_parameters: Nothing;
  readonly idem_expression_not_last: Labelled;
  readonly resource_without_title: Named;
  readonly idem_not_allowed_last: Labelled & { readonly container: string };
  readonly reserved_word: { readonly word: string };
  readonly future_reserved_word: { readonly word: string };
  readonly reserved_type_name: Labelled & Named;
  readonly illegal_node_inheritance: Nothing;
  readonly duplicate_parameter: Named;
  readonly duplicate_key: { readonly key: string };
  readonly duplicate_default: { readonly container: string };
  readonly reserved_parameter: Named & { readonly container: string };
  readonly illegal_nonliteral_parameter_type: Named;
  readonly multiple_attributes_unfold: Nothing;
  readonly numeric_overflow: Labelled & { readonly value: bigint };
}

/** The reference's issue code, lower case. */
export type IssueCode = keyof IssueValues;

/** The text of an issue, without its position. */
export function issueText<C extends IssueCode>(code: C, values: IssueValues[C]): string {
  return TEXTS[code](values);
}

const TEXTS: { readonly [C in IssueCode]: (values: IssueValues[C]) => string } = {
  illegal_class_reference: () => 'Illegal class reference',
  illegal_fully_qualified_class_reference: () => 'Illegal fully qualified class reference',
  illegal_fully_qualified_name: () => 'Illegal fully qualified name',
  illegal_name_or_bare_word: () => 'Illegal name or bare word',
  illegal_number: (v) => `Illegal number '${v.value}'`,
  invalid_hex_number: (v) => `Not a valid hex number ${v.value}`,
  invalid_octal_number: (v) => `Not a valid octal number ${v.value}`,
  invalid_decimal_number: (v) => `Not a valid decimal number ${v.value}`,
  illegal_unicode_escape: () =>
    "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff",
  invalid_byte_sequence: () => 'invalid byte sequence in UTF-8',
  invalid_regexp: (v) => `${v.detail}: /${v.source}/`,
  unrecognized_escape: (v) => `Unrecognized escape sequence '\\${v.ch}'`,
  unclosed_quote: (v) => `Unclosed quote after ${v.after} followed by '${v.followedBy}'`,
  unclosed_mlcomment: () => 'Unclosed multiline comment',
  illegal_bom: (v) =>
    `Illegal ${v.formatName} Byte Order mark at beginning of input: ${v.bytes} - remove these from the puppet source`,
  heredoc_unclosed_parenthesis: (v) => `Unclosed parenthesis after '@(' followed by '${v.followedBy}'`,
  heredoc_without_end_tagged_line: () => 'Heredoc without end-tagged line',
  heredoc_invalid_escape: (v) =>
    `Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '${v.actual}'`,
  heredoc_invalid_syntax: () => 'Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])',
  heredoc_without_text: () => 'Heredoc without any following lines of text',
  heredoc_empty_endtag: () => 'Heredoc with an empty endtag',
  heredoc_multiple_at_escapes: (v) =>
    `An escape char for @() may only appear once. Got '${v.escapes.join(', ')}'`,
  epp_unbalanced_tag: () => 'Unbalanced epp tag, reached <eof> without closing tag.',
  epp_unbalanced_comment: () => 'Reaching end after opening <%# without seeing %>',
  epp_unbalanced_expression: () => 'Unbalanced embedded expression - opening <% and reaching end of input',
  nesting_too_deep: () => 'The code is nested too deeply',

  syntax_error: (v) => `Syntax error at ${v.where}`,
  not_virtual: () => 'Virtual (@) can only be applied to a Resource Expression',
  not_exported: () => 'Exported (@@) can only be applied to a Resource Expression',
  resource_without_title_or_hash: () => 'Syntax error resource body without title or hash with +>',
  not_a_resource: () => 'Expression is not valid as a resource, resource-default, or resource-override',
  class_keyword_as_name: () => "'class' keyword not allowed at this location",
  string_as_name: () => 'A quoted string is not valid as a name here',
  arguments_without_parentheses: (v) =>
    `attempt to pass argument list to the function '${v.name}' which cannot be called without parentheses`,
  illegal_argument_list: () => 'illegal comma separated argument list',
  invalid_number_token: (v) => `Internal Error, NUMBER token does not contain a valid number, ${v.value}`,

  not_top_level: () => 'Classes, definitions, and nodes may only appear at toplevel or inside other classes',
  not_absolute_top_level: (v) => `${aAnUpper(v.label)} may only appear at toplevel`,
  cross_scope_assignment: (v) =>
    `Illegal attempt to assign to '${v.name}'. Cannot assign to variables in other namespaces`,
  illegal_assignment: (v) => `Illegal attempt to assign to '${aAn(v.label)}'. Not an assignable reference`,
  illegal_numeric_assignment: (v) =>
    `Illegal attempt to assign to the numeric match result variable '$${v.name}'. Numeric variables are not assignable`,
  illegal_assignment_context: () => 'Assignment not allowed here',
  illegal_numeric_parameter: (v) =>
    `The numeric parameter name '$${v.name}' cannot be used (clashes with numeric match result variables)`,
  illegal_indexed_assignment: () => 'Illegal attempt to assign via [index/key]. Not an assignable reference',
  appends_deletes_no_longer_supported: (v) =>
    `The operator '${v.operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals`,
  not_rvalue: (v) => `Invalid use of expression. ${aAnUpper(v.label)} does not produce a value`,
  illegal_attribute_append: (v) =>
    `Illegal +> operation on attribute ${v.name}. This operator can not be used in ${aAn(v.parent)}`,
  illegal_single_type_mapping: (v) =>
    `Illegal type mapping. Expected a Type on the left side, got ${aAnUpper(v.label)}`,
  illegal_regexp_type_mapping: (v) =>
    `Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, got ${aAnUpper(v.label)}`,
  illegal_param_name: (v) =>
    `Illegal parameter name. The given name '${v.name}' does not conform to the naming rule /^[a-z_]\\w*$/`,
  illegal_var_name: (v) =>
    `Illegal variable name, The given name '${v.name}' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/`,
  illegal_numeric_var_name: (v) =>
    `Illegal numeric variable name, The given name '${v.name}' must be a decimal value if it starts with a digit 0-9`,
  illegal_hostname_chars: (v) =>
    `The hostname '${v.hostname}' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)`,
  illegal_hostname_interpolation: () => 'An interpolated expression is not allowed in a hostname of a node',
  illegal_expression: (v) =>
    `Illegal expression. ${aAnUpper(v.label)} is unacceptable as ${v.feature} in ${aAn(v.container)}`,
  illegal_query_expression: (v) => `Illegal query expression. ${aAnUpper(v.label)} cannot be used in a query`,
  not_virtualizeable: () => 'Resource Defaults are not virtualizable',
  class_not_virtualizable: () => 'Classes are not virtualizable',
  expression_not_supported_when_scripting: (v) =>
    `${aAnUpper(v.label)} is only available when compiling a catalog`,
  expression_not_supported_when_compiling: (v) =>
    `${aAnUpper(v.label)} is not available when compiling a catalog`,
  unsupported_expression: (v) =>
    `Expressions of type ${aAn(v.label)} are not supported in this version of ${v.product}`,
  illegal_definition_name: (v) =>
    `Unacceptable name. The name '${v.name}' is unacceptable as the name of ${aAn(v.label)}`,
  illegal_definition_location: (v) =>
    `Unacceptable location. The name '${v.name}' is unacceptable in file '${v.file}'`,
  illegal_top_construct_location: (v) =>
    v.name === undefined
      ? `This ${v.label} is unacceptable as a top level construct in this location`
      : `The ${v.label} '${v.name}' is unacceptable as a top level construct in this location`,
  captures_rest_not_last: (v) => `Parameter $${v.name} is not last, and has 'captures rest'`,
  captures_rest_not_supported: (v) =>
    `Parameter $${v.name} has 'captures rest' - not supported in ${aAn(v.container)}`,
  illegal_epp_parameters: () =>
    "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace",
  idem_expression_not_last: (v) =>
    `This ${v.label} has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)`,
  resource_without_title: (v) =>
    `This expression is invalid. Did you try declaring a '${v.name}' resource without a title?`,
  idem_not_allowed_last: (v) =>
    `This ${v.label} has no effect. ${aAnUpper(v.container)} can not end with a value-producing expression without other effect`,
  reserved_word: (v) => `Use of reserved word: ${v.word}, must be quoted if intended to be a String value`,
  future_reserved_word: (v) => `Use of future reserved word: '${v.word}'`,
  reserved_type_name: (v) =>
    `The name: '${v.name}' is already defined by Puppet and can not be used as the name of ${aAn(v.label)}.`,
  illegal_node_inheritance: () =>
    'Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation',
  duplicate_parameter: (v) => `The parameter '${v.name}' is declared more than once in the parameter list`,
  duplicate_key: (v) => `The key '${v.key}' is declared more than once`,
  duplicate_default: (v) => `This ${v.container} already has a 'default' entry - this is a duplicate`,
  reserved_parameter: (v) => `The parameter $${v.name} redefines a built in parameter in the ${v.container}`,
  illegal_nonliteral_parameter_type: (v) =>
    `The parameter '$${v.name}' must be a literal type, not a Puppet::Pops::Model::AccessExpression`,
  multiple_attributes_unfold: () =>
    'Unfolding of attributes from Hash can only be used once per resource body',
  numeric_overflow: (v) =>
    `${aAnUpper(v.label)} resulted in a value outside of Puppet Integer ${v.value > 0n ? 'max' : 'min'} range, got '${signedHex(v.value)}'`,
};

/** As C's `%#+x`. */
function signedHex(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `+0x${value.toString(16)}`;
}
