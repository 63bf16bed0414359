/** Reverts a change part by part. Parts that were changed again later stay as they are and are listed as conflicts. */

export interface Undone<T> {
  readonly value: T;
  /** Parts that the change set and that are different again by now: `classes.ntp.servers`. */
  readonly conflicts: readonly string[];
}

export interface Difference {
  readonly path: string;
  /** `undefined` where there was nothing. */
  readonly before: unknown;
  readonly after: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * @param current - the object as it is now
 * @param fields - the parts that can be set
 */
export function undo<T extends object>(
  current: T,
  before: Values,
  after: Values,
  fields: readonly string[],
): Undone<T> {
  const conflicts: string[] = [];
  const values = { ...current } as unknown as Values;
  const changed = fields.flatMap((field) => {
    const value = undoPart(values[field], before[field], after[field], field, conflicts);
    return isSame(value, values[field]) ? [] : [[field, value] as const];
  });
  const removed = new Set(changed.flatMap(([field, value]) => (value === undefined ? [field] : [])));
  const entries = Object.entries({ ...values, ...Object.fromEntries(changed) });
  const value = Object.fromEntries(entries.filter(([field]) => !removed.has(field))) as T;
  return { value, conflicts };
}

/** The parts that differ, as deep as objects go. */
export function differences(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (isSame(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  return keysOf(before, after).flatMap((key) =>
    differences(before[key], after[key], path === '' ? key : `${path}.${key}`),
  );
}

// oxlint-disable-next-line max-params -- three versions of one part, where it is, and where to tell of it
function undoPart(
  current: unknown,
  before: unknown,
  after: unknown,
  path: string,
  conflicts: string[],
): unknown {
  if (isSame(before, after) || isSame(current, before)) return current;
  if (isSame(current, after)) return before;
  if (isObject(current) && (isObject(before) || isObject(after))) {
    const [old, set] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
    const parts = keysOf(current, old, set).map(
      (key) => [key, undoPart(current[key], old[key], set[key], `${path}.${key}`, conflicts)] as const,
    );
    return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
  }
  conflicts.push(path);
  return current;
}

function keysOf(...values: readonly Values[]): readonly string[] {
  return Array.from(new Set(values.flatMap((each) => Object.keys(each)))).sort();
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The order of keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isSame(each, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  return keysOf(a, b).every((key) => isSame(a[key], b[key]));
}
