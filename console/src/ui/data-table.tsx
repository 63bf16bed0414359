/** A list of any length: rows come in pages, and only those in sight are in the document. */

import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './data-table.module.css';
import { AllBox, type RowSelection, useRowSelection } from './row-selection.tsx';
import { useNarrow } from './use-media.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** A track of a CSS grid: `minmax(180px, 2fr)`. */
  readonly width: string;
  /** Where it stands on a phone; it is left out there when absent. */
  readonly narrow?: 'first' | 'end' | 'detail';
  /** Its title is said before its value on a phone, where the table has no head: for numbers of something. */
  readonly isTitled?: boolean;
  readonly isNumeric?: boolean;
  readonly isSortable?: boolean;
  readonly render: (row: Row) => ReactNode;
}

export interface Sorting {
  readonly by: string;
  readonly isDescending: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** How many there are, also those that are not here yet. */
  readonly total?: number;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
  /** Asks for more rows; absent when there are none. */
  readonly onMore?: () => void;
  /** Rows can be selected when present: by their boxes, Shift and a box, `x` and Shift `x`. */
  readonly selection?: Selection;
}

export interface Selection {
  /** Keys of rows. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** On a phone: with a second line, and without. */
const narrowHeights = { two: 60, one: 44 } as const;
const rowHeights: Readonly<Record<string, number>> = { compact: 32, usual: 36, wide: 40 };

/** As the user has chosen, in pixels. */
function rowHeight(): number {
  return rowHeights[document.documentElement.dataset['density'] ?? ''] ?? 36;
}

export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const { columns, label, onMore, rowKey, rows, selection, total = rows.length } = props;
  const isNarrow = useNarrow();
  const body = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + scrollY));
  }, [rows.length === 0]);
  const lines = columns.some(({ narrow }) => narrow === 'detail') ? 'two' : 'one';
  const height = isNarrow ? narrowHeights[lines] : rowHeight();
  // With another function the virtualizer would go through all rows again, at each step of scrolling.
  const getItemKey = useCallback((index: number) => rowKey(rows[index] as Row), [rows, rowKey]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin,
    getItemKey,
  });
  useEffect(() => virtualizer.measure(), [height, virtualizer]);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onMore?.();
  }, [last, rows.length, onMore]);

  const widths = columns.map(({ width }) => width);
  const template = isNarrow ? undefined : (selection === undefined ? widths : ['20px', ...widths]).join(' ');
  const select = useRowSelection(rows, rowKey, selection);
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={total + 1}
      className={styles.table}
      onKeyDown={(event) => {
        moveByKey(event);
        select?.onKey(event);
      }}
    >
      <Head {...props} template={template} />
      <div role="rowgroup" ref={body} className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => (
          <TableRow
            key={item.key}
            columns={columns}
            row={rows[item.index] as Row}
            item={item}
            offset={item.start - scrollMargin}
            template={template}
            select={select}
          />
        ))}
      </div>
    </div>
  );
}

function Head<Row>({
  columns,
  onSort,
  rowKey,
  rows,
  selection,
  sorting,
  template,
}: DataTableProps<Row> & { readonly template: string | undefined }) {
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.row} style={{ gridTemplateColumns: template }}>
        {selection === undefined ? undefined : (
          <span role="columnheader">
            <AllBox keys={rows.map(rowKey)} {...selection} />
          </span>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sorting={sorting} onSort={onSort} />
        ))}
      </div>
    </div>
  );
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly onSort: ((sorting: Sorting) => void) | undefined;
}

function HeadCell<Row>({ column, onSort, sorting }: HeadCellProps<Row>): ReactElement {
  const { id, isNumeric, isSortable, title } = column;
  const isSorted = sorting?.by === id;
  const direction = sorting?.isDescending === true ? 'descending' : 'ascending';
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp;
  const className = isNumeric === true ? styles.numeric : undefined;
  if (isSortable !== true || onSort === undefined)
    return (
      <span role="columnheader" className={className}>
        {title}
      </span>
    );
  return (
    <span role="columnheader" aria-sort={isSorted ? direction : 'none'} className={className}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ by: id, isDescending: isSorted && direction === 'ascending' })}
      >
        {title}
        {isSorted ? <Arrow size={12} aria-hidden /> : undefined}
      </button>
    </span>
  );
}

interface TableRowProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  readonly item: VirtualItem;
  readonly offset: number;
  readonly template: string | undefined;
  readonly select: RowSelection | undefined;
}

function TableRow<Row>({ columns, item, offset, row, select, template }: TableRowProps<Row>): ReactElement {
  const isSelected = select?.isSelected(item.index);
  return (
    <div
      role="row"
      aria-rowindex={item.index + 2}
      data-index={item.index}
      className={`${styles.row} ${isSelected === true ? styles.selected : ''}`}
      style={{ gridTemplateColumns: template, height: item.size, transform: `translateY(${offset}px)` }}
    >
      {select === undefined ? undefined : (
        <span role="cell" className={`${styles.cell} ${styles.hidden}`}>
          <input
            type="checkbox"
            aria-label={`Select ${select.nameOf(item.index)}`}
            checked={isSelected === true}
            onChange={() => {}}
            onClick={(event) => select.toggle(item.index, event.shiftKey)}
          />
        </span>
      )}
      {columns.map(({ id, isNumeric, isTitled, narrow = 'hidden', render, title }) => (
        <span
          key={id}
          role="cell"
          data-title={isTitled === true ? title : undefined}
          className={[
            styles.cell,
            styles[narrow],
            isNumeric === true ? styles.numeric : '',
            isTitled === true ? styles.titled : '',
          ].join(' ')}
        >
          {render(row)}
        </span>
      ))}
    </div>
  );
}

/** `j` and `k`, or the arrows, go from row to row. */
function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[role=cell] a:first-of-type'));
  const rows = Map.groupBy(links, (link) => link.closest('[role=row]'));
  const firsts = Array.from(rows.values(), ([first]) => first);
  const at = firsts.findIndex(
    (link) => link?.closest('[role=row]')?.contains(document.activeElement) === true,
  );
  const next = firsts[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
