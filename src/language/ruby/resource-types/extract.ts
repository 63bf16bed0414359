/** From a Ruby file to a resource type, without running Ruby. */

import type { ResourceTypeInfo } from '../../catalog/index.ts';
import { isTruthy } from '../arguments.ts';
import { GiveUp } from '../signals.ts';
import { Interpreter } from './interpreter.ts';
import type { LibraryFiles } from './library-files.ts';
import { hasProviders } from './providers.ts';
import type { AttributeClass, TypeClass } from './ruby-module.ts';
import { Signal } from './signals.ts';
import { titlePatternsOf } from './title-patterns.ts';
import { keyAttributes, providify } from './type-calls.ts';
import { RubyRaise, Unmodelled } from './unmodelled.ts';

/** What reading a type's file gave. */
export type ReadResourceType =
  | { readonly kind: 'type'; readonly type: ResourceTypeInfo }
  /** Ruby has to be asked: `reason` says what is not modelled, and where. */
  | { readonly kind: 'flagged'; readonly reason: string }
  /** The file defines no type of the name. */
  | { readonly kind: 'none' };

export interface ExtractOptions {
  /** Lower case. */
  readonly name: string;
  /** Logical path of the file. */
  readonly file: string;
  readonly files: LibraryFiles;
}

export function extractResourceType(options: ExtractOptions): ReadResourceType {
  const interpreter = new Interpreter(options.files);
  try {
    interpreter.load(options.file);
    const type = interpreter.types.get(options.name);
    if (type === undefined) return { kind: 'none' };
    if (!type.isResourceApi && hasProviders(options.name, options.files)) providify(type, interpreter);
    return { kind: 'type', type: describe(type, interpreter) };
  } catch (error) {
    if (error instanceof Unmodelled) return { kind: 'flagged', reason: reasonOf(error, options.files) };
    if (error instanceof GiveUp) return { kind: 'flagged', reason: error.reason };
    if (error instanceof Signal) return { kind: 'flagged', reason: 'a jump that leads out of the file' };
    if (error instanceof RangeError) return { kind: 'flagged', reason: 'code that is nested too deeply' };
    if (error instanceof RubyRaise)
      return { kind: 'flagged', reason: `${error.className}: ${error.message}` };
    throw error;
  }
}

function describe(type: TypeClass, interpreter: Interpreter): ResourceTypeInfo {
  refuseOverrides(type);
  return {
    name: type.name,
    properties: namesOf(type.properties),
    parameters: namesOf(type.parameters),
    namevars: keyAttributes(type),
    titlePatterns: titlePatternsOf(type, interpreter),
    isIsomorphic: isIsomorphic(type, interpreter),
  };
}

function namesOf(attributes: readonly AttributeClass[]): ReadonlySet<string> {
  return new Set(attributes.map(({ name }) => name));
}

function isIsomorphic(type: TypeClass, interpreter: Interpreter): boolean {
  const method = type.findSingletonMethod('isomorphic?');
  if (method !== undefined) return isTruthy(interpreter.invoke(method, type, [], undefined));
  const value = type.instanceVariables.get('@isomorphic');
  return value === undefined || isTruthy(value);
}

/** Methods with which Puppet asks a type for its attributes. */
const QUESTIONS = [
  'allattrs',
  'attrclass',
  'attrtype',
  'ensurable',
  'ensurable?',
  'key_attribute_parameters',
  'key_attributes',
  'newparam',
  'newproperty',
  'parameters',
  'properties',
  'providify',
  'valid_parameter?',
  'validattr?',
  'validparameter?',
  'validproperties',
  'validproperty?',
];

function refuseOverrides(type: TypeClass): void {
  const name = QUESTIONS.find((question) => type.findSingletonMethod(question) !== undefined);
  if (name !== undefined) throw new Unmodelled(`a method self.${name} of the type's own`);
  for (const attribute of type.parameters) {
    for (const question of ['isnamevar', 'isnamevar?', 'name']) {
      if (attribute.findSingletonMethod(question) !== undefined) {
        throw new Unmodelled(`a method self.${question} of the parameter ${attribute.name}`);
      }
    }
  }
}

function reasonOf(error: Unmodelled, files: LibraryFiles): string {
  if (error.file === undefined || error.offset === undefined) return error.message;
  const before = Buffer.from(files.read(error.file) ?? '').subarray(0, error.offset);
  const line = before.toString('latin1').split('\n').length;
  return `${error.message} (file: ${error.file}, line: ${line})`;
}
