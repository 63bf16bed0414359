/** The entities that PQL knows, in the order in which the reference's errors list them. */
export const pqlEntities = [
  'events',
  'edges',
  'inventory',
  'fact_contents',
  'fact_paths',
  'factsets',
  'environments',
  'nodes',
  'resources',
  'package_inventory',
  'packages',
  'catalogs',
  'reports',
  'facts',
] as const;
