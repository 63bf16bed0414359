/** The front door of the compiler: a request in, a catalog out. */

export { compileCatalog } from './compile-catalog.ts';
export { CompileError } from './compile-error.ts';
export type {
  ClassifiedNode,
  CompileRequest,
  CompileResult,
  CompileTermini,
  Json,
  RubyHost,
  TrustedFacts,
} from './compile-request.ts';
