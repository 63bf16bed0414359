/** A field that filters what is below it, a moment after the last key. */

import { Search } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import styles from './field.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

const waitMs = 150;

export function SearchField({ label, onChange, placeholder, value }: SearchFieldProps): ReactElement {
  const [typed, setTyped] = useState(value);
  const said = useRef(value);
  useEffect(() => {
    // The address has changed in another way: a link, a removed term, the way back.
    if (value !== said.current) setTyped(value);
    said.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === said.current) return;
    const timer = setTimeout(() => {
      said.current = typed;
      onChange(typed);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <span className={styles.search}>
      <Search size={16} aria-hidden />
      <input
        type="search"
        aria-label={label}
        className={styles.field}
        value={typed}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
    </span>
  );
}
