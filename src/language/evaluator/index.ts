/** The front door of the compiler: a request in, a catalog out. */

export { compileCatalog } from './compile-catalog.ts';
export type {
  ClassifiedNode,
  CompileRequest,
  CompileTermini,
  Json,
  TrustedFacts,
} from './compile-request.ts';
