/** A field that filters what is below it, a moment after the last key. */

import { Search } from 'lucide-react';
import { type ReactElement, useCallback, useEffect, useState } from 'react';
import {
  shownText,
  startTyping,
  unreportedText,
  withReported,
  withTyped,
  withValue,
} from '../lib/filter-typing.ts';
import styles from './field.module.css';

interface SearchFieldProps {
  readonly label: string;
  /** Usually part of the address. It follows the typed text, and links change it too. */
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

const waitMs = 150;

export function SearchField({ label, onChange, placeholder, value }: SearchFieldProps): ReactElement {
  const [known, setTyping] = useState(() => startTyping(value));
  const typing = withValue(known, value);
  if (typing !== known) setTyping(typing);
  const unreported = unreportedText(typing);
  const report = useCallback(() => {
    if (unreported === undefined) return;
    setTyping((before) => withReported(before, unreported));
    onChange(unreported);
  }, [onChange, unreported]);
  useEffect(() => {
    const timer = setTimeout(report, waitMs);
    // Report before a clicked link navigates: reporting later would navigate back to this page. Reporting on blur would be too early:
    // the list could change and move the link before the click completes.
    addEventListener('click', report, true);
    return () => {
      clearTimeout(timer);
      removeEventListener('click', report, true);
    };
  }, [report]);
  return (
    <span className={styles.search}>
      <Search size={16} aria-hidden />
      <input
        type="search"
        aria-label={label}
        className={styles.field}
        value={shownText(typing)}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setTyping((before) => withTyped(before, target.value))}
      />
    </span>
  );
}
