/** The names of environments that something has been sent of. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { query } from '../api/puppetdb.ts';

export function environmentNames(): UseQueryOptions<readonly string[]> {
  return {
    queryKey: ['pdb', 'environments'],
    async queryFn({ signal }) {
      const rows = await query<{ readonly name: string }>(
        { entity: 'environments', columns: ['name'], orderBy: ['name'] },
        signal,
      );
      return rows.map(({ name }) => name);
    },
  };
}
