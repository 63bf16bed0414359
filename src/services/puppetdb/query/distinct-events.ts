/** Events of which the last of each kind is seen: `distinct_resources`. */

import type { Entity } from './entity.ts';

/** The times within which the last ones are looked for, as the database keeps them. */
export interface DistinctWithin {
  readonly start: string;
  readonly end: string;
}

/** The last events of each property of each resource of a node: earlier ones, and those at other times, are not there. */
export function distinctEvents(events: Entity, { start, end }: DistinctWithin): Entity {
  const { weighed: _weighed, ...entity } = events;
  const latest = `select lr.node_id, le.resource_type, le.resource_title, le.property, le.name, max(le.timestamp) as timestamp
    from pdb_events le join pdb_reports lr on lr.id = le.report_id
    where le.timestamp >= '${start}' and le.timestamp <= '${end}'
    group by lr.node_id, le.resource_type, le.resource_title, le.property, le.name`;
  const isSame = (name: string): string =>
    `(latest.${name} = ev.${name} or (latest.${name} is null and ev.${name} is null))`;
  return {
    ...entity,
    source: `${events.source} join (${latest}) latest on latest.node_id = r.node_id and latest.resource_type = ev.resource_type
    and latest.resource_title = ev.resource_title and latest.timestamp = ev.timestamp
    and ${isSame('property')} and ${isSame('name')}`,
  };
}
