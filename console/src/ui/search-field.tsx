/** A field that filters what is below it, a moment after the last key. */

import { Search } from 'lucide-react';
import { type ReactElement, useCallback, useEffect, useState } from 'react';
import { afterValue, begun, shownText, typedInto, unsaidText, whenSaid } from '../lib/filter-typing.ts';
import styles from './field.module.css';

interface SearchFieldProps {
  readonly label: string;
  /** Of the address, usually: it follows what is typed, and changes by links, too. */
  readonly value: string;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

const waitMs = 150;

export function SearchField({ label, onChange, placeholder, value }: SearchFieldProps): ReactElement {
  const [known, setTyping] = useState(() => begun(value));
  const typing = afterValue(known, value);
  if (typing !== known) setTyping(typing);
  const unsaid = unsaidText(typing);
  const say = useCallback(() => {
    if (unsaid === undefined) return;
    setTyping((before) => whenSaid(before, unsaid));
    onChange(unsaid);
  }, [onChange, unsaid]);
  useEffect(() => {
    const timer = setTimeout(say, waitMs);
    // Before a link leads away: said later, it would bring people back; said when the field is left, it would move the link that is
    // being pressed.
    addEventListener('click', say, true);
    return () => {
      clearTimeout(timer);
      removeEventListener('click', say, true);
    };
  }, [say]);
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
        onChange={({ target }) => setTyping((before) => typedInto(before, target.value))}
      />
    </span>
  );
}
