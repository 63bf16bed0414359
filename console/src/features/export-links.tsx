/** A whole list as a file, which the browser writes to disk as it comes. */

import type { ReactElement } from 'react';
import styles from './export-links.module.css';

interface ExportLinksProps {
  /** `nodes`: below `/console-api/v1/exports/`. */
  readonly list: string;
  /** Filter, order and columns; those that are undefined are left out. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** What one gets, by the name of the format. */
  readonly formats: readonly (readonly [format: string, title: string])[];
}

export function ExportLinks({ formats, list, parameters }: ExportLinksProps): ReactElement {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value]],
  );
  return (
    <span className={styles.links}>
      Export{' '}
      {formats.map(([format, title]) => (
        <a
          key={format}
          download
          href={`/console-api/v1/exports/${list}?${new URLSearchParams([...given, ['format', format]])}`}
          aria-label={`Export as ${title}`}
        >
          {title}
        </a>
      ))}
    </span>
  );
}
