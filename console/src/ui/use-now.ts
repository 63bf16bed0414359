/** The present time, for ages on the screen. */

import { useEffect, useState } from 'react';

const tickMs = 15_000;

/** @returns the time, which moves on every 15 seconds */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
