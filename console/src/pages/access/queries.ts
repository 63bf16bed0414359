/** Queries of the pages of users, roles, groups, tokens and directories. */

import { infiniteQueryOptions, type UseQueryOptions } from '@tanstack/react-query';
import {
  type ObjectTypeRow,
  type RoleRow,
  readObjectTypes,
  readRoles,
  readTokens,
  readUser,
  readUserGroups,
  readUsers,
  type UserGroupRow,
  type UserRow,
} from '../../api/access.ts';
import { type GroupRow, readGroups } from '../../api/classifier.ts';
import { type DirectoryRow, readDirectories } from '../../api/directories.ts';

const pageRows = 100;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function userPages(filter: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['rbac', 'users', filter],
    queryFn: ({ pageParam, signal }) => readUsers({ filter, offset: pageParam, limit: pageRows }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.users.length < pageRows ? undefined : pages.length * pageRows),
    placeholderData: (previous) => previous,
  });
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function tokenPages(filter: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['rbac', 'tokens', filter],
    queryFn: ({ pageParam, signal }) => readTokens({ filter, offset: pageParam, limit: pageRows }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.items.length < pageRows ? undefined : pages.length * pageRows),
    placeholderData: (previous) => previous,
  });
}

export function userById(id: string): UseQueryOptions<UserRow> {
  return { queryKey: ['rbac', 'user', id], queryFn: ({ signal }) => readUser(id, signal) };
}

export function allRoles(): UseQueryOptions<readonly RoleRow[]> {
  return { queryKey: ['rbac', 'roles'], queryFn: ({ signal }) => readRoles(signal) };
}

export function objectTypes(): UseQueryOptions<readonly ObjectTypeRow[]> {
  return {
    queryKey: ['rbac', 'types'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => readObjectTypes(signal),
  };
}

export function allUserGroups(): UseQueryOptions<readonly UserGroupRow[]> {
  return { queryKey: ['rbac', 'groups'], queryFn: ({ signal }) => readUserGroups(signal) };
}

export function allDirectories(isEnabled: boolean): UseQueryOptions<readonly DirectoryRow[]> {
  return {
    queryKey: ['rbac', 'directories'],
    enabled: isEnabled,
    queryFn: ({ signal }) => readDirectories(signal),
  };
}

/** For the names of groups that permissions are for. @param isEnabled - whether the user may see them */
export function nodeGroups(isEnabled: boolean): UseQueryOptions<readonly GroupRow[]> {
  return {
    queryKey: ['classifier', 'groups'],
    enabled: isEnabled,
    queryFn: ({ signal }) => readGroups(signal),
  };
}
