/** Which rows of a table are selected: single ones, or from one to another. */

import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react';
import type { Selection } from './data-table.tsx';

export interface RowSelection {
  readonly isSelected: (index: number) => boolean;
  readonly nameOf: (index: number) => string;
  /** @param isRange - all rows from the last one that was toggled become as this one */
  readonly toggle: (index: number, isRange: boolean) => void;
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => void;
}

/** @returns `undefined` when the table has no selection */
export function useRowSelection<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  selection: Selection | undefined,
): RowSelection | undefined {
  const last = useRef<number>(undefined);
  if (selection === undefined) return undefined;
  const { onSelect, selected } = selection;
  const keyOf = (index: number) => {
    const row = rows[index];
    return row === undefined ? '' : rowKey(row);
  };
  const toggle = (index: number, isRange: boolean) => {
    const from = isRange ? (last.current ?? index) : index;
    const keys = Array.from({ length: Math.abs(index - from) + 1 }, (_, step) =>
      keyOf(Math.min(index, from) + step),
    );
    last.current = index;
    const isWanted = !selected.has(keyOf(index));
    const next = new Set(selected);
    for (const key of keys) {
      if (isWanted) next.add(key);
      else next.delete(key);
    }
    onSelect(next);
  };
  return {
    isSelected: (index) => selected.has(keyOf(index)),
    nameOf: keyOf,
    toggle,
    onKey(event) {
      if (event.key.toLowerCase() !== 'x' || event.ctrlKey || event.metaKey || event.altKey) return;
      const row = event.target instanceof Element ? event.target.closest('[role=row]') : null;
      const index = row?.getAttribute('data-index');
      if (index === null || index === undefined) return;
      event.preventDefault();
      toggle(Number(index), event.shiftKey);
    },
  };
}

/** Selects the rows that are here, or none. */
export function AllBox({
  keys,
  onSelect,
  selected,
}: Selection & { readonly keys: readonly string[] }): ReactElement {
  const box = useRef<HTMLInputElement>(null);
  const count = keys.filter((key) => selected.has(key)).length;
  const isAll = count > 0 && count === keys.length;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = count > 0 && !isAll;
  }, [count, isAll]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={isAll ? 'Select none' : `Select these ${keys.length}`}
      checked={isAll}
      onChange={() => onSelect(new Set(isAll ? [] : keys))}
    />
  );
}
