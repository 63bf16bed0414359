/** From answers of queries to commands in the newest version, as an archive holds them. */

import { canonicalJson } from '../canonical-json.ts';

type Members = Readonly<Record<string, unknown>>;

/** A row as the query API answers it, to the payload of the command that makes the same. */
export type ToCommand = (row: Members) => Members;

export function archivedCatalog({ hash: _hash, edges, resources, ...rest }: Members): Members {
  return {
    ...rest,
    edges: dataOf(edges).map(({ source_type, source_title, target_type, target_title, relationship }) => ({
      source: { type: source_type, title: source_title },
      target: { type: target_type, title: target_title },
      relationship,
    })),
    resources: dataOf(resources).map(({ resource: _digest, file, line, ...resource }) => ({
      ...resource,
      ...(file === null ? {} : { file }),
      ...(line === null ? {} : { line }),
    })),
  };
}

export function archivedFacts({ hash: _hash, timestamp: _time, facts, ...rest }: Members): Members {
  const values = Object.fromEntries(dataOf(facts).map(({ name, value }) => [String(name), value]));
  return { ...rest, values };
}

/** Events are gathered below their resources; those without any are not known any more. */
export function archivedReport(row: Members): Members {
  const { hash: _hash, receive_time: _time, resource_events: events, metrics, logs, ...rest } = row;
  return { ...rest, metrics: dataOf(metrics), logs: dataOf(logs), resources: resourcesOf(dataOf(events)) };
}

function resourcesOf(events: readonly Members[]): readonly Members[] {
  const resources = new Map<string, Members & { readonly events: Members[] }>();
  for (const { containing_class: _class, file, line, resource_type, resource_title, ...event } of events) {
    const { containment_path, ...rest } = event;
    const place = { resource_type, resource_title, file, line, containment_path };
    const { timestamp, status } = rest;
    const resource = { ...place, timestamp, skipped: status === 'skipped', corrective_change: null };
    const key = canonicalJson(resource);
    const known = resources.get(key);
    if (known === undefined) resources.set(key, { ...resource, events: [rest] });
    else known.events.push(rest);
  }
  return [...resources.values()];
}

function dataOf(expanded: unknown): readonly Members[] {
  const data = typeof expanded === 'object' && expanded !== null && 'data' in expanded ? expanded.data : null;
  return Array.isArray(data) ? (data as readonly Members[]) : [];
}
