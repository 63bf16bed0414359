/** Which nodes somebody means: names, a query of PuppetDB, a group, or a whole environment. */

import type { Json } from '../../../lib/json.ts';

export type Scope =
  | { readonly kind: 'nodes'; readonly nodes: readonly string[] }
  /** PQL, or the AST of the root. */
  | { readonly kind: 'query'; readonly query: string | readonly Json[] }
  | { readonly kind: 'node-group'; readonly id: string }
  | { readonly kind: 'environment'; readonly environment: string };
