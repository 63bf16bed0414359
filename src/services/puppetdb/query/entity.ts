/** What can be queried: a source of rows, its columns, and how it relates to others. */

import type { Fragment } from './fragment.ts';

/**
 * What a column holds.
 *
 * - `json`: JSON text; dotted paths reach into it where the entity says so
 * - `multi`: JSON text of a fact's value, compared as what it holds
 * - `path`: JSON text of an array of keys and indexes
 * - `list`: JSON text of an array of texts; compared with each
 * - `tags`: the same, in lower case
 */
export type ColumnKind =
  | 'text'
  | 'timestamp'
  | 'boolean'
  | 'integer'
  | 'json'
  | 'multi'
  | 'path'
  | 'tags'
  | 'list'
  | 'flag';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** An expression over the entity's source. */
  readonly sql: string;
  /** As in error texts; the name when absent. */
  readonly label?: string;
  /** False for times and values that `<` and its siblings are not allowed for. */
  readonly isComparable?: boolean;
  /** Makes the keys within JSON come in the order in which the reference answers them; absent where they do already. */
  readonly inOrder?: (json: string) => string;
  /** Whether patterns see the JSON of a value, and are JSON themselves. */
  readonly isSerialized?: boolean;
  /** False for what only filters. */
  readonly isReturned?: boolean;
  /** False for what is only returned. */
  readonly isQueryable?: boolean;
  /** What results are sorted by instead of `sql`. */
  readonly sortSql?: string;
  /** False for what results cannot be sorted by. */
  readonly isSortable?: boolean;
  /** The part of `path` that is known before the row is expanded: an SQL column. */
  readonly firstKey?: string;
}

export interface Entity {
  /** As in `from`: `fact_contents`. */
  readonly name: string;
  /** As in error texts; the name when absent. */
  readonly label?: string;
  readonly source: string;
  /** In the order of the reference's error texts. */
  readonly columns: readonly Column[];
  readonly isDistinct?: boolean;
  /** Always holds. */
  readonly condition?: string;
  /** The node whose state decides whether a row is seen: `["=","node_state",...]`. */
  readonly nodeAlias?: string;
  /** Rows of nodes that are not active are left out unless the query asks for them. */
  readonly isActiveOnly?: boolean;
  /** A condition that holds unless the query mentions the field. */
  readonly default?: { readonly field: string; readonly condition: string };
  /** The columns that are read into: what comes behind their dot may be anything. */
  readonly dottedRoots?: readonly string[];
  /** Reads into a JSON column: `facts.os.name`. */
  readonly dotted?: (path: DottedPath) => DottedAccess | undefined;
  /** Fields in pairs that have a meaning of their own: `["fact", "kernel"]`, `["parameter", "ensure"]`. */
  readonly pairs?: Readonly<Record<string, (name: string) => DottedAccess>>;
  /** Entity -> the columns that are equal, ours and theirs. */
  readonly relations?: Readonly<Record<string, Relation>>;
  /** Whether it is also related to whatever is of a node, by the certname. */
  readonly isOfNode?: boolean;
  /** What tells rows apart, where some columns take long to make: they are made for the rows that are answered alone. */
  readonly rowKey?: string;
  /**
   * A flag that few rows may have: those are all found and sorted, whatever order an index has. Measured on PostgreSQL before it
   * had looked at new tables itself: the last 25 events of latest reports 10 ms, where it went through all events by their times
   * over a minute.
   */
  readonly narrowedBy?: string;
  /** Where it is known how many rows there are, for who only counts them, by conditions that are of this source. */
  readonly counted?: Counted;
  /**
   * For who only counts rows, by columns or all: a source with the alias of these columns and `weight`, how many rows each stands for.
   *
   * @returns `undefined` where rows have to be looked at
   */
  readonly weighed?: (
    conditions: readonly Fragment[],
    columns: readonly string[],
  ) => { readonly source: Fragment; readonly weight: string } | undefined;
  /** Columns that are given only on request. */
  readonly more?: Readonly<Partial<Record<keyof MoreColumns, readonly Column[]>>>;
  /** Rows are answered as bare values of this column when nothing is extracted. */
  readonly bareColumn?: string;
}

/** What of a query's parameters adds columns. */
export interface MoreColumns {
  /** Whether a node's facts expire (`include_facts_expiration`). */
  readonly withExpiration?: boolean;
  /** The packages of a node beside its facts (`include_package_inventory`). */
  readonly withPackages?: boolean;
}

/** The entity with the columns that are wanted besides. */
export function withColumns(entity: Entity, { withExpiration, withPackages }: MoreColumns): Entity {
  const columns = [
    ...(withExpiration === true ? (entity.more?.withExpiration ?? []) : []),
    ...(withPackages === true ? (entity.more?.withPackages ?? []) : []),
  ];
  return columns.length === 0 ? entity : { ...entity, columns: [...entity.columns, ...columns] };
}

export interface Counted {
  readonly source: string;
  readonly sum: string;
  /** Names a table of the entity's source that is not in this one: `rs.title`. */
  readonly beyond: RegExp;
}

export interface Relation {
  readonly local: readonly string[];
  readonly foreign: readonly string[];
}

/** The first name and what comes after it. */
export interface DottedPath {
  readonly root: string;
  readonly keys: readonly (string | number)[];
  /** Whether a key is a `match("...")`; all are patterns then. */
  readonly isPattern: boolean;
}

/** A condition on a value as JSON text. */
export type JsonTest = (value: Fragment) => Fragment;

/** A JSON value somewhere in an entity. */
export interface DottedAccess {
  /** The value as JSON text, or SQL NULL. */
  readonly value: Fragment;
  /** Whether a part of a list is meant. */
  readonly isIndexed?: boolean;
  /**
   * Rows for which a condition on the value holds.
   *
   * @param needsKey - whether it is false, not unknown, for rows that don't even have the first key
   */
  readonly where: (condition: JsonTest, needsKey?: boolean) => Fragment;
  /** Rows for which it does not; none of those without the value. */
  readonly unless: (condition: JsonTest, needsKey?: boolean) => Fragment;
  /** What `~` means where it does not look at the value as text without quotes. */
  readonly matches?: (pattern: string) => Fragment;
}

export function labelOf(entity: Entity): string {
  return entity.label ?? entity.name;
}

export function findColumn(entity: Entity, name: string): Column | undefined {
  return entity.columns.find((column) => column.name === name);
}

export function returnedColumns(entity: Entity): readonly Column[] {
  return entity.columns.filter(({ isReturned }) => isReturned !== false);
}

/** Sorted, as error texts list them. */
export function queryableNames(entity: Entity): readonly string[] {
  return entity.columns
    .filter(({ isQueryable }) => isQueryable !== false)
    .map(({ name }) => name)
    .toSorted();
}
