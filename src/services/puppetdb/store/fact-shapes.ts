/** The paths within a fact's value, stored once for all nodes with the same paths. */

import { isRawNumber } from '../../../lib/raw-json.ts';
import { type Dialect, sql, type Transaction } from '../../../platform/storage/index.ts';
import { identityHash } from '../canonical-json.ts';
import { rowPieces } from './row-pieces.ts';
import { holdSharedRows } from './shared-rows.ts';

export interface FactShape {
  /** Names the paths: the same name of the fact and the same id, the same paths. */
  readonly id: string;
  readonly leaves: readonly FactLeaf[];
}

/** Path as JSON text, type, number of keys less one. */
type FactLeaf = readonly [path: string, type: string, depth: number];

interface ShapedFact {
  readonly name: string;
  /** Absent for a value whose paths are not stored. */
  readonly shape: FactShape | undefined;
}

/** Paths of larger values are computed by each query: such values rarely have the same paths on two nodes. */
const mostLeaves = 500;

/**
 * The paths as the database's own function for the leaves of JSON has them.
 *
 * @returns `undefined` for too many to keep
 */
export function shapeOf(name: string, value: unknown, database: Dialect['name']): FactShape | undefined {
  const leaves: FactLeaf[] = [];
  collectLeaves(leaves, value, { path: JSON.stringify(name), depth: 0, database });
  if (leaves.length > mostLeaves) return undefined;
  const [only] = leaves;
  // Most facts are one text: their shape needs no digest.
  const isScalar = leaves.length === 1 && only?.[2] === 0;
  return { id: isScalar ? only[1] : identityHash(JSON.stringify(leaves)), leaves };
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly database: Dialect['name'];
}

function collectLeaves(leaves: FactLeaf[], value: unknown, place: Place): void {
  const below = (key: string): Place => ({
    ...place,
    path: `${place.path},${key}`,
    depth: place.depth + 1,
  });
  if (Array.isArray(value))
    value.forEach((element, index) => collectLeaves(leaves, element, below(String(index))));
  else if (typeof value === 'object' && value !== null && !isRawNumber(value))
    for (const key of Object.keys(value).toSorted())
      collectLeaves(leaves, (value as Readonly<Record<string, unknown>>)[key], below(JSON.stringify(key)));
  else leaves.push([`[${place.path}]`, typeOf(value, place.database), place.depth]);
}

function typeOf(value: unknown, database: Dialect['name']): string {
  if (value === null) return 'null';
  if (typeof value !== 'number' && !isRawNumber(value)) return typeof value;
  const text = JSON.stringify(value);
  // PostgreSQL keeps the form of a number: it does not treat 1.0 as an integer.
  const isWhole =
    database === 'postgresql' && !/e/i.test(text) ? !text.includes('.') : Number.isInteger(Number(text));
  return isWhole ? 'integer' : 'float';
}

/** Keeps the shapes that are new. */
export async function storeShapes(transaction: Transaction, facts: readonly ShapedFact[]): Promise<void> {
  const shaped = facts.flatMap(({ name, shape }) => (shape === undefined ? [] : [{ name, shape }]));
  if (shaped.length === 0) return;
  await holdSharedRows(transaction);
  const asked = transaction.dialect.rows(JSON.stringify(shaped.map(({ name, shape }) => [name, shape.id])), [
    'text',
    'text',
  ]);
  const unknown = await transaction.read(
    sql`select sent.v0 as name from ${asked} sent where not exists (select 1 from pdb_fact_shapes known
      where known.name = sent.v0 and known.shape = sent.v1 and known.position = 0)`,
  );
  const names = new Set(unknown.map((row) => row['name']));
  const rows = shaped
    .filter(({ name }) => names.has(name))
    .flatMap(({ name, shape }) =>
      shape.leaves.map(([path, type, depth], position) => [name, shape.id, position, path, type, depth]),
    );
  for (const { json } of rowPieces(rows))
    await transaction.run(
      sql`insert into pdb_fact_shapes (name, shape, position, path, type, depth)
        select sent.v0, sent.v1, sent.v2, sent.v3, sent.v4, sent.v5
        from ${transaction.dialect.rows(json, ['text', 'text', 'integer', 'text', 'text', 'integer'])} sent
        where true order by sent.v0, sent.v1, sent.v2 on conflict do nothing`,
    );
}
