/** Methods by their names in Ruby. */
export type MethodTable<Method> = Readonly<Record<string, Method>>;

/** Only what the table itself has: Ruby may call a method `constructor`, too. */
export function methodIn<Method>(table: MethodTable<Method>, name: string): Method | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
