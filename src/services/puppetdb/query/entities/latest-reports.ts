/**
 * Whether a report `r` is the latest of its node `n`.
 *
 * Said of the node in the same row, databases begin with the nodes, whatever they know of the tables: PostgreSQL would
 * look through all events by their times for those of latest reports, of which there may be few. False where a node has none,
 * so that its negation is true.
 */
export const isLatestReport = '(n.latest_report_id is not null and n.latest_report_id = r.id)';
