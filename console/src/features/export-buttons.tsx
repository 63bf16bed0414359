/** Exports a whole list as a file that the server writes and the browser downloads, however much of it the page has loaded. */

import { type ReactElement, useState } from 'react';
import { beginExport, type ExportedList, type ExportFormat } from '../api/exports.ts';
import { type PqlQuery, pqlText } from '../lib/pql.ts';
import { Button } from '../ui/button.tsx';
import styles from './export-buttons.module.css';

interface ExportButtonsProps {
  /** Filter, order and columns. */
  readonly list: ExportedList;
  /** Labels of the buttons by format; CSV and JSON when absent. */
  readonly formats?: readonly (readonly [format: ExportFormat, title: string])[];
}

const usualFormats = [
  ['csv', 'CSV'],
  ['ndjson', 'JSON'],
] as const;

export function ExportButtons({ formats = usualFormats, list }: ExportButtonsProps): ReactElement {
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const start = (format: ExportFormat) => {
    setBusy(true);
    setSaid('The export begins');
    beginExport(list, format).then(
      (path) => {
        download(path);
        setBusy(false);
        setSaid('The download has begun');
      },
      (error: unknown) => {
        setBusy(false);
        setSaid(`There is no file: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
  };
  return (
    <span className={styles.buttons}>
      Export
      {formats.map(([format, title]) => (
        <Button
          key={format}
          look="quiet"
          label={`Export as ${title}`}
          isDisabled={isBusy}
          onPress={() => start(format)}
        >
          {title}
        </Button>
      ))}
      <span role="status" className={styles.said}>
        {said}
      </span>
    </span>
  );
}

/** Exports all rows of a query; the page shows the first. */
export function wholeQuery({ limit: _limit, offset: _offset, ...query }: PqlQuery): ExportedList {
  return { list: 'query', pql: pqlText(query) };
}

/** Goes straight to the disk; the server names the file. */
function download(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
