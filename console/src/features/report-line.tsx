/** A report on one line of a list. */

import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ReportRow } from '../api/puppetdb.ts';
import { Age } from '../ui/age.tsx';
import styles from './report-line.module.css';
import { statusOfReport } from './report-queries.ts';
import { Status } from './status.tsx';

interface ReportLineProps {
  readonly report: ReportRow;
  readonly hasCertname?: boolean;
}

export function ReportLine({ hasCertname = false, report }: ReportLineProps): ReactElement {
  return (
    <div className={styles.line}>
      <Link to="/reports/$hash" params={{ hash: report.hash }} className={styles.status}>
        <Status status={statusOfReport(report)} />
      </Link>
      {hasCertname ? (
        <Link to="/nodes/$certname" params={{ certname: report.certname }} className={styles.certname}>
          {report.certname}
        </Link>
      ) : undefined}
      <span className={styles.age}>
        <Age time={report.end_time} />
      </span>
    </div>
  );
}
