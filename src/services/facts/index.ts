/** What nodes say about themselves. */

export {
  type LargeFactsAnswer,
  type LargeFactsQuestion,
  LargeFactsReader,
  readLargeFacts,
} from './large-facts.ts';
export { factsRoutes } from './routes.ts';
export type { FactSink } from './termini.ts';
export { decodeFactsField, decodeFactsText } from './wire.ts';
export { type CachedFacts, YamlFactCache } from './yaml-cache.ts';
