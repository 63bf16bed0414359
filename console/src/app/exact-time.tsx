/** Shows the exact time of an age on keyboard focus: of the age itself, its link or its row. */

import { type ReactElement, useEffect, useState } from 'react';
import styles from './exact-time.module.css';

interface Shown {
  readonly text: string;
  readonly top: number;
  readonly left: number;
}

const id = 'exact-time';
/** Room for the text, in pixels. */
const width = 300;

export function ExactTime(): ReactElement | undefined {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const hide = () => setShown(undefined);
    addEventListener('focusin', ({ target }) => setShown(timesAt(target)), { signal });
    addEventListener('focusout', hide, { signal });
    // What gets the focus may be scrolled into sight.
    const move = () =>
      setShown((before) => (before === undefined ? undefined : timesAt(document.activeElement)));
    addEventListener('scroll', move, { signal, capture: true, passive: true });
    addEventListener('keydown', ({ key }) => (key === 'Escape' ? hide() : undefined), { signal });
    return () => ending.abort();
  }, []);
  useEffect(() => {
    const focused = document.activeElement;
    if (shown === undefined || focused?.hasAttribute('aria-describedby') !== false) return;
    focused.setAttribute('aria-describedby', id);
    return () => focused.removeAttribute('aria-describedby');
  }, [shown]);
  if (shown === undefined) return undefined;
  const { left, text, top } = shown;
  return (
    <div role="tooltip" id={id} className={styles.exact} style={{ top, left, maxWidth: width }}>
      {text}
    </div>
  );
}

/** With a mouse, the title shows it. */
function timesAt(target: EventTarget | null): Shown | undefined {
  if (!(target instanceof HTMLElement) || !target.matches(':focus-visible')) return undefined;
  const part = target.closest<HTMLElement>('[role=row]') ?? target.closest<HTMLElement>('a, button, time');
  const all = part?.matches('time') === true ? [part] : Array.from(part?.querySelectorAll('time') ?? []);
  const [first] = all;
  if (first === undefined) return undefined;
  const { bottom, left } = first.getBoundingClientRect();
  return {
    text: all.map(({ title }) => title).join('\n'),
    top: bottom + 4,
    left: Math.max(8, Math.min(left, innerWidth - width - 8)),
  };
}
