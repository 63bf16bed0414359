/** Recorded states of objects, in the words of the APIs that change them. */

type Values = Readonly<Record<string, unknown>>;

/** The values that each kind can have. */
export const settableFields = {
  group: [
    'name',
    'parent',
    'environment',
    'environment_trumps',
    'description',
    'rule',
    'classes',
    'variables',
    'config_data',
  ],
  user: ['login', 'email', 'display_name', 'role_ids', 'is_revoked'],
  role: ['display_name', 'description', 'permissions'],
} as const;

/** @param state - as the record has it; roles are recorded in the server's own words */
export function wireState(of: keyof typeof settableFields, state: unknown): Values {
  if (typeof state !== 'object' || state === null) return {};
  const values = state as Values;
  if (of !== 'role') return values;
  const permissions = Array.isArray(values['permissions']) ? values['permissions'] : [];
  return {
    display_name: values['name'],
    description: values['description'],
    permissions: permissions.map((each: Values) => ({
      object_type: each['objectType'],
      action: each['action'],
      instance: each['instance'],
    })),
  };
}
