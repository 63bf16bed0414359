/** A subselect rather than a join: databases without statistics of the tables begin with it, too. */
export const latestReports = '(select latest_report_id from pdb_nodes where latest_report_id is not null)';
