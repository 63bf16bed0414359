/** Queries about one change. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { readRoles, readUser } from '../../api/access.ts';
import { readChange, type WholeChange } from '../../api/activity.ts';
import { type ChangePreview, type GroupChanges, previewGroups, readGroups } from '../../api/classifier.ts';
import { ApiError } from '../../api/client.ts';

export function changeById(id: string): UseQueryOptions<WholeChange> {
  return { queryKey: ['activity', 'change', id], queryFn: ({ signal }) => readChange(id, signal) };
}

/** The object as it is now; null when it does not exist any more. */
export function currentObject(of: 'group' | 'user' | 'role', id: string): UseQueryOptions<object | null> {
  return {
    queryKey: ['activity', 'current', of, id],
    staleTime: 0,
    // The next dialog must not start from a stale copy.
    gcTime: 0,
    async queryFn({ signal }) {
      if (of === 'group') return (await readGroups(signal)).find((group) => group.id === id) ?? null;
      if (of === 'role') return (await readRoles(signal)).find((role) => String(role.id) === id) ?? null;
      return await readUser(id, signal).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      });
    },
  };
}

/** Which nodes the way back would change. */
export function revertPreview(changes: GroupChanges | undefined): UseQueryOptions<ChangePreview> {
  return {
    queryKey: ['revert-preview', changes],
    enabled: changes !== undefined,
    // Never refetched: after the revert, the same preview would be refused.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) => previewGroups(changes ?? { groups: [] }, signal),
  };
}
