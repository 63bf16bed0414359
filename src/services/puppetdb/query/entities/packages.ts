import type { Entity } from '../entity.ts';

export function packages(): Entity {
  return {
    name: 'packages',
    source: 'pdb_packages pk',
    isDistinct: true,
    columns: [
      { name: 'package_name', kind: 'text', sql: 'pk.package_name' },
      { name: 'version', kind: 'text', sql: 'pk.version' },
      { name: 'provider', kind: 'text', sql: 'pk.provider' },
    ],
  };
}
