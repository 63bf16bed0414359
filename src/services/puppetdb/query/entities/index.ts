/** All entities, by the name that queries use. */

import type { QueryDialect } from '../dialect.ts';
import type { Entity } from '../entity.ts';
import { catalogInputContents } from './catalog-input-contents.ts';
import { catalogInputs } from './catalog-inputs.ts';
import { catalogs } from './catalogs.ts';
import { edges } from './edges.ts';
import { environments } from './environments.ts';
import { events } from './events.ts';
import { factContents } from './fact-contents.ts';
import { factNames } from './fact-names.ts';
import { factPaths } from './fact-paths.ts';
import { facts } from './facts.ts';
import { factsets } from './factsets.ts';
import { inventory } from './inventory.ts';
import { nodes } from './nodes.ts';
import { packageInventory } from './package-inventory.ts';
import { packages } from './packages.ts';
import { producers } from './producers.ts';
import { reports } from './reports.ts';
import { resources } from './resources.ts';

export function entitiesOf(dialect: QueryDialect): ReadonlyMap<string, Entity> {
  const makers = [
    nodes,
    environments,
    producers,
    factsets,
    facts,
    factNames,
    factPaths,
    factContents,
    inventory,
    catalogs,
    resources,
    edges,
    reports,
    events,
    packages,
    packageInventory,
    catalogInputs,
    catalogInputContents,
  ];
  return new Map(makers.map((make) => make(dialect)).map((entity) => [entity.name, entity]));
}
