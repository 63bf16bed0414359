/** Which nodes are chosen. They are part of the address as long as it does not get too long for browsers and servers. */

import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';

const route = getRouteApi('/live');

/** All that the filter finds, or these. */
export type Selection = 'all' | readonly string[];

/** Of characters. */
const mostInAddress = 1500;

export function useSelection(): readonly [Selection, (selection: Selection) => void] {
  const { selected } = route.useSearch();
  const navigate = route.useNavigate();
  const [selection, setSelection] = useState<Selection>(() => selectionIn(selected));
  const select = useCallback(
    (next: Selection) => {
      setSelection(next);
      const text = next === 'all' ? '*' : next.join(',');
      void navigate({
        search: (before) => ({
          ...before,
          selected: text === '' || text.length > mostInAddress ? undefined : text,
        }),
        replace: true,
      });
    },
    [navigate],
  );
  return [selection, select];
}

function selectionIn(text: string | undefined): Selection {
  if (text === '*') return 'all';
  return text === undefined ? [] : text.split(',');
}
