/** Queries of the page of groups. */

import type { UseQueryOptions } from '@tanstack/react-query';
import {
  type ChangedGroup,
  type ChangePreview,
  countMatching,
  type GroupRow,
  type KnownClass,
  previewGroups,
  readClasses,
  readGroups,
  readMatchingNodes,
} from '../../api/classifier.ts';

export function groupList(): UseQueryOptions<readonly GroupRow[]> {
  return { queryKey: ['classifier', 'group-list'], queryFn: ({ signal }) => readGroups(signal) };
}

export function knownClasses(environment: string): UseQueryOptions<readonly KnownClass[]> {
  return {
    queryKey: ['classes', environment],
    queryFn: ({ signal }) => readClasses(environment, signal),
    staleTime: 60_000,
  };
}

/** `null` where PuppetDB can't be asked for the rule. */
export function matchingNodes(id: string): UseQueryOptions<readonly string[] | null> {
  return {
    queryKey: ['classifier', 'matching', id],
    queryFn: async ({ signal }) => (await readMatchingNodes(id, signal)) ?? null,
  };
}

export function matchCount(rule: unknown): UseQueryOptions<number> {
  return {
    queryKey: ['matching', rule],
    queryFn: ({ signal }) => countMatching(rule, signal),
    enabled: rule !== null,
  };
}

export function preview(groups: readonly ChangedGroup[], isWanted: boolean): UseQueryOptions<ChangePreview> {
  return {
    // Not below `classifier`: a commit would ask for the preview of what is committed.
    queryKey: ['group-preview', groups],
    queryFn: ({ signal }) => previewGroups(groups, signal),
    enabled: isWanted,
    gcTime: 0,
  };
}
