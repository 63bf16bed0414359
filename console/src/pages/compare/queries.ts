/** Queries of the page of comparisons. */

import type { UseQueryOptions } from '@tanstack/react-query';
import { type CatalogDiff, diffCatalogs } from '../../api/fleet.ts';
import { queryNodes } from '../../api/nodes.ts';
import { type PackageRow, query, readFacts } from '../../api/puppetdb.ts';
import { quoted } from '../../lib/pql.ts';
import { leavesOf } from '../../lib/value-diff.ts';
import { type ComparedSide, readSide } from './search.ts';

interface SideWire {
  readonly certname: string;
  readonly source: 'stored' | 'compile';
  readonly environment?: string;
}

/** What the server is asked for. */
export function catalogQuestion(left: string, right: string) {
  return { left: sideWire(readSide(left)), right: sideWire(readSide(right)) };
}

function sideWire({ certname, environment }: ComparedSide): SideWire {
  return environment === undefined
    ? { certname, source: 'stored' }
    : { certname, source: 'compile', environment };
}

export function catalogDiff(left: string, right: string): UseQueryOptions<CatalogDiff> {
  return {
    queryKey: ['console', 'catalog-diff', left, right],
    queryFn: ({ signal }) => diffCatalogs(catalogQuestion(left, right), signal),
    // To compile takes a server's time: only those who ask for it again get it again.
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** The facts of a node as paths and values; `null` for one that has none. */
export function nodeLeaves(certname: string): UseQueryOptions<ReadonlyMap<string, unknown> | null> {
  return {
    queryKey: ['pdb', 'fact-leaves', certname],
    async queryFn({ signal }) {
      const facts = await readFacts(certname, signal);
      return facts.length === 0 ? null : leavesOf(facts);
    },
  };
}

/** The versions of a node's packages by name and provider; `null` for one that tells of none. */
export function nodePackages(certname: string): UseQueryOptions<ReadonlyMap<string, unknown> | null> {
  return {
    queryKey: ['pdb', 'packages-of', certname],
    async queryFn({ signal }) {
      const rows = await query<PackageRow>(
        {
          entity: 'package_inventory',
          columns: ['package_name', 'version', 'provider'],
          conditions: [`certname = ${quoted(certname)}`],
        },
        signal,
      );
      if (rows.length === 0) return null;
      const byName = Map.groupBy(rows, (row) => `${row.package_name} (${row.provider})`);
      return new Map(
        Array.from(byName, ([name, versions]) => [
          name,
          versions
            .map(({ version }) => version)
            .toSorted()
            .join(', '),
        ]),
      );
    },
  };
}

const shownNames = 20;

/** Names that are offered while one is typed. */
export function namesLike(text: string): UseQueryOptions<readonly string[]> {
  const [word = ''] = text.split('@');
  return {
    queryKey: ['console', 'nodes', 'names', word],
    async queryFn({ signal }) {
      const { rows } = await queryNodes({ q: word.replaceAll(/[\s":=~<>]/g, ''), limit: shownNames }, signal);
      return rows.map(({ certname }) => certname);
    },
    placeholderData: (previous) => previous,
  };
}
