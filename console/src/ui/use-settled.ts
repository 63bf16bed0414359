/** A value once it has stayed the same for a moment, for questions that should not follow each key. */

import { useEffect, useState } from 'react';

const waitMs = 150;

/** @returns the value of a moment ago while it changes */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
