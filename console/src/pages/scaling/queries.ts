/** What the page of scaling asks for. */

import { infiniteQueryOptions, keepPreviousData, type UseQueryOptions } from '@tanstack/react-query';
import {
  previewScaling,
  readScaling,
  readScalingHistory,
  type ScalingEntry,
  type ScalingLimits,
  type ScalingStatus,
} from '../../api/scaling.ts';

const pageRows = 100;

export function scalingStatus(): UseQueryOptions<ScalingStatus> {
  return {
    queryKey: ['autoscaler', 'status'],
    queryFn: ({ signal }) => readScaling(signal),
  };
}

/** What would be advised with other limits. */
export function scalingPreview(limits: ScalingLimits): UseQueryOptions<ScalingStatus> {
  return {
    queryKey: ['autoscaler', 'preview', limits],
    queryFn: ({ signal }) => previewScaling(limits, signal),
    retry: false,
    placeholderData: keepPreviousData,
  };
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function scalingHistory() {
  return infiniteQueryOptions({
    queryKey: ['autoscaler', 'history'],
    queryFn: ({ pageParam, signal }) => readScalingHistory(pageRows, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last: readonly ScalingEntry[]) =>
      last.length < pageRows ? undefined : last.at(-1)?.id,
  });
}
