import type { CallContext } from '../function.ts';

/** A file that functions read: its name as it goes into messages, and its bytes. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * A file of a module (`module/path` below its `files`), of the code version, or, by an absolute path, of the server.
 * `undefined` when it does not exist.
 */
export function readModuleFile(context: CallContext, reference: string): FoundFile | undefined {
  const path = context.environment.findFile(reference) ?? serverPath(reference);
  if (path === undefined) return undefined;
  const bytes = context.environment.files.readBytes(path) ?? context.outside.readServerFile(path);
  return bytes === undefined ? undefined : { path, bytes };
}

/** The path of the first reference that exists. */
export function findFirst(
  context: CallContext,
  references: readonly string[],
  find: (reference: string) => string | undefined,
): string | null {
  for (const reference of references) {
    const found = find(reference);
    if (found !== undefined) return found;
    const path = serverPath(reference);
    if (path !== undefined && context.outside.readServerFile(path) !== undefined) return path;
  }
  return null;
}

function serverPath(reference: string): string | undefined {
  return reference.startsWith('/') ? reference : undefined;
}
