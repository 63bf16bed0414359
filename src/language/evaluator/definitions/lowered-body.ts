/** Classes, defined types and nodes, lowered. */

import { failure, metaparameters } from '../../catalog/index.ts';
import { AnyType, StructElement, StructType } from '../../pcore/index.ts';
import type {
  HostClassDefinition,
  NodeDefinition,
  Parameter,
  Position,
  ResourceTypeDefinition,
} from '../../syntax/index.ts';
import { declareAssignedNames } from '../lower/assigned-names.ts';
import { type Evaluate, type Lower, LowerContext } from '../lower/lower-context.ts';
import type { Frame } from '../runtime/frame.ts';
import { Layout } from '../runtime/layout.ts';
import type { Unit } from '../runtime/unit.ts';
import { CodeSource } from './code-source.ts';
import { type LoweredParameter, lowerParameters } from './lowered-parameter.ts';

/** Variables that every class and define has. */
const GIVEN_NAMES = ['title', 'name', 'module_name', 'caller_module_name'];

export class LoweredBody {
  readonly source: CodeSource;
  readonly unit: Unit;
  readonly layout: Layout = new Layout();
  readonly parameters: readonly LoweredParameter[];
  readonly body: Evaluate;
  private readonly node: HostClassDefinition | ResourceTypeDefinition | NodeDefinition;
  private readonly byName: ReadonlyMap<string, LoweredParameter>;
  /** Nothing is left to be found wrong, or to be warned of. */
  private isFlawless = false;
  private knownStruct: StructType | undefined;

  constructor(
    node: HostClassDefinition | ResourceTypeDefinition | NodeDefinition,
    source: CodeSource,
    unit: Unit,
    lower: Lower,
  ) {
    this.node = node;
    this.source = source;
    this.unit = unit;
    for (const name of GIVEN_NAMES) this.layout.declare(name);
    const context = new LowerContext({ unit, layout: this.layout });
    const parameters: readonly Parameter[] = node.kind === 'NodeDefinition' ? [] : node.parameters;
    this.parameters = lowerParameters(
      parameters,
      context,
      lower,
      ({ scope }) => scope.resource?.reference ?? '',
    );
    this.byName = new Map(this.parameters.map((parameter) => [parameter.name, parameter]));
    declareAssignedNames(node.body, this.layout);
    this.body = lower(node.body, context);
  }

  /**
   * What is wrong with the definition itself comes to light before it is used.
   *
   * @throws PuppetError for a type that does not exist, or a parameter that is a metaparameter
   */
  prepare(frame: Frame): void {
    if (this.isFlawless) return;
    for (const parameter of this.parameters) {
      this.checkName(parameter, frame);
      parameter.type(frame);
    }
    this.isFlawless = !this.parameters.some(({ name }) => metaparameters.has(name));
  }

  private checkName({ name, defaultValue }: LoweredParameter, frame: Frame): void {
    const { compiler } = frame.scope;
    if (!metaparameters.has(name) && !compiler.addedMetaparameters.has(name)) return;
    if (defaultValue === undefined) {
      throw failure(
        `${name} is a metaparameter; please choose another parameter name in the ${this.name} definition`,
      );
    }
    const text = `${name} is a metaparam; this value will inherit to all contained resources in the ${this.name} definition`;
    compiler.warnOnce(text, text);
  }

  get name(): string {
    return this.source.name;
  }

  /** The file and line that the definition starts at. */
  get place(): Position {
    const { file, line } = this.unit.positionOf(this.node.offset);
    return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
  }

  parameter(name: string): LoweredParameter | undefined {
    return this.byName.get(name);
  }

  /** Whether a resource of it may have the attribute. @param added - metaparameters of modules */
  acceptsAttribute(name: string, added: ReadonlySet<string>): boolean {
    return name === 'name' || this.byName.has(name) || metaparameters.has(name) || added.has(name);
  }

  /** All that may be set, as messages describe it. */
  parameterStruct(frame: Frame): StructType {
    this.knownStruct ??= new StructType([
      new StructElement('name', AnyType.DEFAULT, true),
      ...[...metaparameters].map((name) => new StructElement(name, AnyType.DEFAULT, true)),
      ...this.parameters
        .filter(({ name }) => !metaparameters.has(name))
        .map((parameter) => new StructElement(parameter.name, parameter.type(frame), parameter.isOptional)),
    ]);
    return this.knownStruct;
  }
}
