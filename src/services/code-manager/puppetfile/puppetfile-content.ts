import type { ArgumentHash } from '../modules/module-argument.ts';
import { decodeValue, type EncodedValue } from './encoded-value.ts';

/** What a Puppetfile declares, in its order. */
export interface PuppetfileContent {
  readonly forge: string | undefined;
  readonly modules: readonly DeclaredModule[];
}

export interface DeclaredModule {
  readonly title: string;
  readonly args: ArgumentHash | string | symbol | null;
  /** As `moduledir` said last before it; `undefined` when it did not. */
  readonly moduleDirectory: string | undefined;
  /** Where it is declared; bytes from the beginning. */
  readonly offset: number;
}

/** As it travels between threads. */
export interface EncodedContent {
  readonly forge: string | undefined;
  readonly modules: readonly EncodedModule[];
}

export type EncodedModule = Omit<DeclaredModule, 'args'> & { readonly args: EncodedValue };

export function decodeContent({ forge, modules }: EncodedContent): PuppetfileContent {
  return { forge, modules: modules.map((module) => ({ ...module, args: argumentsOf(module.args) })) };
}

/** The second argument of `mod`. What is neither a hash nor a version means nothing. */
function argumentsOf(encoded: EncodedValue): DeclaredModule['args'] {
  const value = decodeValue(encoded);
  if (value === null || typeof value === 'string' || typeof value === 'symbol') return value;
  return value instanceof Map ? (value as ArgumentHash) : null;
}
