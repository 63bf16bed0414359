/** The front door of the compiler: a request in, a catalog out. */

export { answerLookup, type LookupQuestion } from './answer-lookup.ts';
export { InterpretedPlace } from './calls/interpreted-place.ts';
export { type ManifestBlock, manifestBlock } from './calls/manifest-block.ts';
export { compileCatalog } from './compile-catalog.ts';
export { CompileError } from './compile-error.ts';
export { CompileProfile, type ProfileEntry } from './compile-profile.ts';
export type {
  ClassifiedNode,
  CompileRequest,
  CompileTermini,
  ExactJson,
  TrustedFacts,
} from './compile-request.ts';
export { OUTSIDE_STANDARD_ERROR } from './evaluation-error.ts';
export type {
  Explained,
  ExplainedClassParameter,
  ExplainedLevel,
  ExplainedLookup,
  ExplainedPlace,
  ExplainedStep,
  ExplainedValue,
  ExplainQuestion,
} from './explained.ts';
export {
  type ExplainedDeclaration,
  type ExplainedKey,
  type ExplainedParameter,
  ExplainingCompile,
} from './explaining-compile.ts';
export { fromJson, parseExactJson, toExactJson } from './json-values.ts';
export type {
  FoundResourceType,
  RubyCaller,
  RubyFunctionCall,
  RubyHost,
  RubyMemberCall,
  RubyResource,
  RubyScope,
} from './ruby-host.ts';
export { extendLanguage, Script, type ScriptRequest } from './script.ts';
export { SingleWarnings } from './single-warnings.ts';
