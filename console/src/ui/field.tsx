/** Fields with their names above them. */

import { type ReactElement, useId } from 'react';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  /** What is offered while typing. */
  readonly suggestions?: readonly string[];
  readonly onChange?: (value: string) => void;
}

export function Field({
  isRequired = false,
  label,
  name,
  onChange,
  placeholder,
  suggestions,
}: FieldProps): ReactElement {
  const list = useId();
  return (
    <label className={styles.labelled}>
      {label}
      <input
        className={styles.field}
        name={name}
        required={isRequired}
        placeholder={placeholder}
        list={suggestions === undefined ? undefined : list}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange?.(event.target.value)}
      />
      {suggestions === undefined ? undefined : (
        <datalist id={list}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  );
}

interface SelectFieldProps {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, title: string])[];
}

export function SelectField({ label, name, options }: SelectFieldProps): ReactElement {
  return (
    <label className={styles.labelled}>
      {label}
      <select className={styles.field} name={name}>
        {options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
