/** One of a few: the browser's own list, which every phone and screen reader knows. */

import type { ReactElement } from 'react';
import styles from './field.module.css';

interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, title: string])[];
  readonly onChange: (value: T) => void;
}

export function Select<T extends string>({ label, onChange, options, value }: SelectProps<T>): ReactElement {
  const choose = (chosen: string) => {
    const found = options.find(([each]) => each === chosen);
    if (found !== undefined) onChange(found[0]);
  };
  return (
    <select
      aria-label={label}
      className={styles.field}
      value={value}
      onChange={(event) => choose(event.target.value)}
    >
      {options.map(([each, title]) => (
        <option key={each} value={each}>
          {title}
        </option>
      ))}
    </select>
  );
}
