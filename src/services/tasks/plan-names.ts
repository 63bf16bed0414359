/** The plans of one module: the files of its directory `plans`. */

import { extname, join } from 'node:path';
import { filesIn, fullName, isItemName, withoutExtension } from './task-sources.ts';
import type { CodeModule } from './termini.ts';

const extensions: ReadonlySet<string> = new Set(['.pp', '.yaml']);

/** Words of the language, and names of its types: none of them can name a plan. */
const reserved: ReadonlySet<string> = new Set(
  `and application attr case class consumes default else elsif environment false function if import in inherits node
  or private produces site true type undef unless any array boolean catalogentry collection callable data enum float
  hash integer numeric optional pattern resource runtime scalar string struct tuple variant`.split(/\s+/),
);

/** @returns `module::plan`, sorted; the plan `init` has the module's name alone */
export async function planNames(module: CodeModule): Promise<readonly string[]> {
  const files = await filesIn(join(module.directory, 'plans'));
  const names = files.filter((file) => extensions.has(extname(file))).map(withoutExtension);
  const usable = names.filter((name) => isItemName(name) && !reserved.has(name));
  return [...new Set(usable)].map((name) => fullName(module.name, name));
}
