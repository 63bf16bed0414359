/** Which nodes somebody means: names, a query of PuppetDB, a group, a whole environment, or names in an order. */

import type { Json } from '../../../lib/json.ts';

export type Scope =
  | { readonly kind: 'nodes'; readonly nodes: readonly string[] }
  /** PQL, or the AST of the root. */
  | { readonly kind: 'query'; readonly query: string | readonly Json[] }
  | { readonly kind: 'node-group'; readonly id: string }
  /** Of connections by SSH. */
  | { readonly kind: 'connection-group'; readonly name: string }
  | { readonly kind: 'environment'; readonly environment: string }
  /** One level after the other. */
  | { readonly kind: 'order'; readonly levels: readonly (readonly string[])[] }
  /** The servers of the installation, in the order in which Puppet has to run on them. */
  | { readonly kind: 'infrastructure' };
