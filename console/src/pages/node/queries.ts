/** Queries of the page of a node. */

import { infiniteQueryOptions, queryOptions, type UseQueryOptions } from '@tanstack/react-query';
import { type ActivityChange, readChanges } from '../../api/activity.ts';
import { type CertificateRow, type CertificateState, readCertificates } from '../../api/certificates.ts';
import { type Explanation, explainClassification, type GroupRow, readGroups } from '../../api/classifier.ts';
import { ApiError } from '../../api/client.ts';
import { readConnection } from '../../api/jobs.ts';
import { queryNodes } from '../../api/nodes.ts';
import {
  type CatalogDocument,
  type EventRow,
  type FactRow,
  type NodeRow,
  type PackageRow,
  query,
  type ReportRow,
  readCatalog,
  readEvents,
  readFacts,
  readNode,
  readPackages,
} from '../../api/puppetdb.ts';
import { readReports } from '../../features/report-queries.ts';
import { termText } from '../../lib/filter-terms.ts';
import { quoted, quotedPattern } from '../../lib/pql.ts';
import type { RunStatus } from '../../lib/run-status.ts';

const barReports = 50;
const pageRows = 100;

/** `null` for a node that PuppetDB doesn't know. */
export function nodeByName(certname: string): UseQueryOptions<NodeRow | null> {
  return {
    queryKey: ['pdb', 'node', certname],
    queryFn: async ({ signal }) => (await readNode(certname, signal)) ?? null,
  };
}

/** As lists of nodes have it; `null` for a node that they don't have. */
export function nodeStatus(certname: string): UseQueryOptions<RunStatus | null> {
  return {
    queryKey: ['console', 'node-status', certname],
    async queryFn({ signal }) {
      const { rows } = await queryNodes({ q: termText('certname', certname), limit: 1 }, signal);
      return rows[0]?.status ?? null;
    },
  };
}

/** Names that begin as an unknown one does, up to its first dot. */
export function similarNames(certname: string): UseQueryOptions<readonly string[]> {
  const [host = ''] = certname.split('.');
  return {
    queryKey: ['pdb', 'similar', certname],
    async queryFn({ signal }) {
      const rows = await query<{ readonly certname: string }>(
        {
          entity: 'nodes',
          columns: ['certname'],
          conditions: [`certname ~ ${quotedPattern(host.replace(/\d+$/, ''))}`],
          orderBy: ['certname'],
          limit: 8,
        },
        signal,
      );
      return rows.map((row) => row.certname);
    },
  };
}

/** The last runs, the latest first. */
export function lastReports(certname: string): UseQueryOptions<readonly ReportRow[]> {
  return {
    queryKey: ['pdb', 'last-reports', certname],
    queryFn: ({ signal }) =>
      readReports({ conditions: [`certname = ${quoted(certname)}`], limit: barReports }, signal),
  };
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function allReports(certname: string) {
  return infiniteQueryOptions({
    queryKey: ['pdb', 'all-reports', certname],
    queryFn: ({ pageParam, signal }) =>
      readReports(
        { conditions: [`certname = ${quoted(certname)}`], limit: pageRows, offset: pageParam },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < pageRows ? undefined : pages.length * pageRows),
  });
}

export function eventsOf(hash: string): UseQueryOptions<readonly EventRow[]> {
  return {
    queryKey: ['pdb', 'report-events', hash],
    queryFn: ({ signal }) => readEvents(hash, signal),
    staleTime: Number.POSITIVE_INFINITY,
  };
}

export function nodeFacts(certname: string): UseQueryOptions<readonly FactRow[]> {
  return {
    queryKey: ['pdb', 'facts', certname],
    queryFn: ({ signal }) => readFacts(certname, signal),
  };
}

/** `null` for a node without a catalog. */
export function nodeCatalog(certname: string): UseQueryOptions<CatalogDocument | null> {
  return {
    queryKey: ['pdb', 'catalog', certname],
    async queryFn({ signal }) {
      try {
        return await readCatalog(certname, signal);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  };
}

export function classification(certname: string): UseQueryOptions<Explanation> {
  return {
    queryKey: ['classifier', 'explanation', certname],
    queryFn: ({ signal }) => explainClassification(certname, signal),
  };
}

/** By id. */
export function allGroups(): UseQueryOptions<ReadonlyMap<string, GroupRow>> {
  return {
    queryKey: ['classifier', 'groups'],
    queryFn: async ({ signal }) => new Map((await readGroups(signal)).map((group) => [group.id, group])),
  };
}

/** Whether the node's PXP agent can be asked to do something. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the library's types say more than could be written
export function connectionOf(certname: string) {
  return queryOptions({
    queryKey: ['orchestrator', 'inventory', certname],
    queryFn: ({ signal }) => readConnection(certname, signal),
    staleTime: 0,
  });
}

export function packagesOf(certname: string): UseQueryOptions<readonly PackageRow[]> {
  return {
    queryKey: ['pdb', 'packages-of', certname],
    queryFn: ({ signal }) => readPackages(certname, signal),
  };
}

/** Requests and certificates of exactly this name, in every state. */
export function certificatesOf(certname: string): UseQueryOptions<readonly CertificateRow[]> {
  const states: readonly CertificateState[] = ['requested', 'signed', 'revoked'];
  return {
    queryKey: ['ca', 'of', certname],
    async queryFn({ signal }) {
      const pages = await Promise.all(
        states.map((state) =>
          readCertificates({ state, q: certname, limit: pageRows, after: undefined }, signal),
        ),
      );
      return pages.flat().filter(({ name }) => name === certname);
    },
  };
}

/** Recorded changes of the node and its certificate, newest first. */
export function changesOf(certname: string): UseQueryOptions<readonly ActivityChange[]> {
  return {
    queryKey: ['activity', 'list', 'of', certname],
    queryFn: async ({ signal }) => (await readChanges({ object_id: certname }, undefined, signal)).changes,
  };
}
