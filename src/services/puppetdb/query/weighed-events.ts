/** Events that are only counted: what many reports say the same is looked at once, and counts as often as they say it. */

import { always, chained, type Fragment, fragment, raw } from './fragment.ts';

export interface WeighedEvents {
  readonly source: string;
  /** All of them hold. */
  readonly conditions: readonly Fragment[];
  /** What is asked of the events: `ev.status`. */
  readonly columns: readonly string[];
  /** Nodes are counted, each once for each different row, instead of events. Of nodes with one report each. */
  readonly isOfNodes?: boolean;
}

/** What a set of events holds: everything else is of one report. */
const ofSet = /^ev\.(?:status|resource_type|resource_title|containing_class)$/;

/**
 * A source `ev` with the wanted columns and `weight`.
 *
 * @returns `undefined` where events have to be looked at one by one
 */
export function weighedEvents({
  source,
  conditions,
  columns,
  isOfNodes = false,
}: WeighedEvents): Fragment | undefined {
  const split = splitConditions(conditions);
  if (split === undefined || !columns.every((column) => ofSet.test(column))) return undefined;
  const reports = all(split.ofReports);
  // A node may have events of one class in both of its sets.
  const isByClass = isOfNodes && columns.includes('ev.containing_class');
  if (isByClass && split.ofEvents.length > 0) return undefined;
  const events = all(isByClass ? [raw('not ev.repeats_class')] : split.ofEvents);
  const setsOf = (column: string): Fragment => fragment`select ${raw(column)} as event_set from pdb_reports r
    join pdb_nodes n on n.id = r.node_id where ${reports} and ${raw(column)} <> ''`;
  const said = fragment`select event_set, count(*) as reports
    from (${setsOf('r.event_set')} union all ${setsOf('r.own_event_set')}) report group by event_set`;
  const select = (who: string, weight: string): Fragment =>
    raw(
      isOfNodes
        ? `select distinct ${[who, ...columns].join(', ')}, ${weight} as weight`
        : `select ${[...columns, weight].join(', ')} as weight`,
    );
  const once = select('said.event_set as who', isOfNodes ? 'said.reports' : 'said.reports * ev.events');
  // Of reports of earlier releases it is not known: no index is asked for them, which may be all there are.
  const others = select('n.certname as who', '1');
  return fragment`(${once} from (${said}) said join pdb_event_sets ev on ev.event_set = said.event_set where ${events}
    union all ${others} from ${raw(source)} where ${all([...split.ofReports, ...split.ofEvents])}
      and coalesce(r.event_set, '?') = '?') ev`;
}

interface SplitConditions {
  readonly ofReports: readonly Fragment[];
  readonly ofEvents: readonly Fragment[];
}

/** @returns `undefined` when one concerns both, or fields that no set holds */
function splitConditions(conditions: readonly Fragment[]): SplitConditions | undefined {
  const ofReports: Fragment[] = [];
  const ofEvents: Fragment[] = [];
  for (const condition of conditions) {
    const text = condition.parts.join(' ');
    const columns = text.match(/\bev\.\w+/g) ?? [];
    if (columns.length === 0) ofReports.push(condition);
    else if (/\b[rn]\./.test(text) || !columns.every((column) => ofSet.test(column))) return undefined;
    else ofEvents.push(condition);
  }
  return { ofReports, ofEvents };
}

function all(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? always : chained(conditions, 'and');
}
