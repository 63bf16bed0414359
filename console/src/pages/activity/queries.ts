/** Queries of the list of changes. */

import { infiniteQueryOptions } from '@tanstack/react-query';
import { type ActivityQuestion, readChanges } from '../../api/activity.ts';
import type { ActivitySearch } from './search.ts';

const minuteMs = 60_000;
const hours = { '1h': 1, '1d': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function activityPages(search: ActivitySearch) {
  return infiniteQueryOptions({
    queryKey: ['activity', 'list', search],
    queryFn: ({ pageParam, signal }) => readChanges(questionOf(search, new Date()), pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (previous) => previous,
  });
}

/** @param now - cut to the minute, so that the same page asks the same */
export function questionOf(
  { author, object, q, service, since }: ActivitySearch,
  now: Date,
): ActivityQuestion {
  const [type, id] = object?.split(/:(.*)/s) ?? [];
  const minute = Math.floor(now.getTime() / minuteMs) * minuteMs;
  return {
    service,
    by: author,
    q,
    object_type: type,
    object_id: id,
    from: since === undefined ? undefined : new Date(minute - hours[since] * 60 * minuteMs).toISOString(),
  };
}
