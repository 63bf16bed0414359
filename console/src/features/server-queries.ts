/** The state of all servers, for the pages that show it. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { type InfrastructureStatus, readInfrastructure } from '../api/servers.ts';

export function infrastructure(isEnabled = true): UseQueryOptions<InfrastructureStatus> {
  return {
    queryKey: ['infrastructure', 'status'],
    enabled: isEnabled,
    queryFn: ({ signal }) => readInfrastructure(signal),
  };
}
