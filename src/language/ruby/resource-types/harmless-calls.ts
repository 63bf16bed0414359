/** Calls without a receiver that do not change which attributes a type has, with whatever block they are given. */

/** Anywhere. */
const ANYWHERE = ['puts', 'print', 'p', 'warn', 'raise', 'fail', '_', 'n_', 'format', 'sprintf'];

/** In the body of a type: documentation, and code that runs when the type is applied. */
const IN_TYPES = [
  'apply_to_all',
  'apply_to_device',
  'apply_to_host',
  'autobefore',
  'autonotify',
  'autorequire',
  'autosubscribe',
  'desc',
  'feature',
  'validate',
  'newaction',
];

/** In the body of a parameter or property. */
const IN_ATTRIBUTES = [
  'aliasvalue',
  'defaultto',
  'defaultvalues',
  'isrequired',
  'munge',
  'newvalue',
  'newvalues',
  'nodefault',
  'proxymethods',
  'required_features',
  'sensitive',
  'unmunge',
];

/** In any module. */
const IN_MODULES = [
  'attr_accessor',
  'attr_reader',
  'attr_writer',
  'private_class_method',
  'private_constant',
  'public_class_method',
  'protected',
];

export const HARMLESS_CALLS: ReadonlySet<string> = new Set([
  ...ANYWHERE,
  ...IN_TYPES,
  ...IN_ATTRIBUTES,
  ...IN_MODULES,
]);
