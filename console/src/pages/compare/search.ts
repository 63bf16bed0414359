/** The part of the address that belongs to comparisons. */

import { oneIn, type RawSearch, textIn } from '../../lib/search-text.ts';

export const compareKinds = ['catalog', 'facts', 'packages'] as const;
export type CompareKind = (typeof compareKinds)[number];

export interface CompareSearch {
  /** Catalogs when absent. */
  readonly kind?: CompareKind | undefined;
  /** A certname; for catalogs that are compiled, `CERTNAME@ENVIRONMENT`. */
  readonly left?: string | undefined;
  readonly right?: string | undefined;
  /** The text to search for among the differences. */
  readonly find?: string | undefined;
}

export function compareSearch(search: RawSearch): CompareSearch {
  const kind = oneIn(search, 'kind', compareKinds);
  return {
    kind: kind === 'catalog' ? undefined : kind,
    left: textIn(search, 'left'),
    right: textIn(search, 'right'),
    find: textIn(search, 'find'),
  };
}

export interface ComparedSide {
  readonly certname: string;
  /** The catalog is compiled in this environment; the stored one is taken when absent. */
  readonly environment: string | undefined;
}

export function readSide(text: string): ComparedSide {
  const at = text.lastIndexOf('@');
  if (at <= 0) return { certname: text, environment: undefined };
  return { certname: text.slice(0, at), environment: text.slice(at + 1) };
}

export function sideText({ certname, environment }: ComparedSide): string {
  return environment === undefined ? certname : `${certname}@${environment}`;
}
