/** Queries of the page of groups. */

import type { UseQueryOptions } from '@tanstack/react-query';
import {
  type ChangePreview,
  compareGroupCatalogs,
  countMatching,
  type GroupCatalogs,
  type GroupChanges,
  type GroupRow,
  type KnownClass,
  type MemberCounts,
  previewGroups,
  readClasses,
  readEnvironments,
  readGroups,
  readMatchingNodes,
  readMemberCounts,
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

/** How many nodes match each group. */
export function memberCounts(): UseQueryOptions<MemberCounts> {
  return { queryKey: ['classifier', 'member-counts'], queryFn: ({ signal }) => readMemberCounts(signal) };
}

/** Environments that groups may have. */
export function environmentNames(): UseQueryOptions<readonly string[]> {
  return { queryKey: ['classifier', 'environments'], queryFn: ({ signal }) => readEnvironments(signal) };
}

/** @param rule - `null` for one that matches nothing */
export function matchCount(rule: unknown): UseQueryOptions<number> {
  return {
    queryKey: ['matching', rule],
    queryFn: ({ signal }) => countMatching(rule, signal),
    enabled: rule !== null,
    retry: false,
  };
}

export function preview(changes: GroupChanges): UseQueryOptions<ChangePreview> {
  return {
    queryKey: ['group-preview', changes],
    queryFn: ({ signal }) => previewGroups(changes, signal),
    // Never refetched: a preview of a committed change would be refused.
    staleTime: 'static',
    gcTime: 0,
  };
}

export function groupCatalogs(
  changes: GroupChanges,
  certnames: readonly string[],
): UseQueryOptions<GroupCatalogs> {
  return {
    queryKey: ['group-catalogs', changes, certnames],
    queryFn: ({ signal }) => compareGroupCatalogs(changes, certnames, signal),
    retry: false,
    gcTime: 0,
  };
}
