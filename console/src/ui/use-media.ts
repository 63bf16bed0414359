/** What CSS calls a media query, for what CSS alone can't lay out. */

import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window is as narrow as that of a phone. */
export function useNarrow(): boolean {
  return useMedia('(max-width: 719px)');
}

function useMedia(condition: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(condition);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [condition],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(condition).matches);
}
