import type { Entity } from '../entity.ts';

const byProducer = { local: ['name'], foreign: ['producer'] };

export function producers(): Entity {
  return {
    name: 'producers',
    source: 'pdb_producers p',
    columns: [{ name: 'name', kind: 'text', sql: 'p.name' }],
    relations: { factsets: byProducer, reports: byProducer, catalogs: byProducer },
  };
}
