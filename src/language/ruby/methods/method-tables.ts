import type { Kind } from '../values/kinds.ts';
import { arrayMethods } from './array-methods.ts';
import { enumeratorMethods } from './enumerator-methods.ts';
import { environmentMethods } from './environment-methods.ts';
import { hashMethods } from './hash-methods.ts';
import { lookupContextMethods } from './lookup-context-methods.ts';
import type { MethodTable } from './method.ts';
import { floatMethods, integerMethods } from './number-methods.ts';
import {
  booleanMethods,
  matchMethods,
  moduleMethods,
  neverMatching,
  nilMethods,
  objectMethods,
  sensitiveMethods,
  symbolMethods,
} from './object-methods.ts';
import { procMethods } from './proc-methods.ts';
import { rangeMethods } from './range-methods.ts';
import { resourceMethods } from './resource-methods.ts';
import { catalogMethods, scopeMethods } from './scope-methods.ts';
import { patternMethods, stringMethods } from './string-methods.ts';

/** The methods of every class, those of Object included. */
export function methodTables(): ReadonlyMap<Kind, MethodTable> {
  const own: Readonly<Record<Kind, MethodTable>> = {
    NilClass: nilMethods,
    TrueClass: { ...neverMatching, ...booleanMethods },
    FalseClass: { ...neverMatching, ...booleanMethods },
    String: stringMethods,
    Integer: { ...neverMatching, ...integerMethods },
    Float: { ...neverMatching, ...floatMethods },
    Array: { ...neverMatching, ...arrayMethods },
    Hash: { ...neverMatching, ...hashMethods },
    Symbol: symbolMethods,
    Regexp: patternMethods,
    Range: rangeMethods,
    MatchData: matchMethods,
    Enumerator: enumeratorMethods,
    Proc: procMethods,
    Module: moduleMethods,
    Scope: scopeMethods,
    Catalog: catalogMethods,
    Sensitive: sensitiveMethods,
    LookupContext: lookupContextMethods,
    Environment: environmentMethods,
    Resource: resourceMethods,
    Type: {},
  };
  return new Map(
    Object.entries(own).map(([kind, table]) => [kind as Kind, { ...objectMethods, ...table }] as const),
  );
}
