import {
  keyOf,
  ObjectInstance,
  type ObjectMethod,
  PuppetHash,
  plainText,
  type Value,
} from '../../pcore/index.ts';
import { PLAN_TYPES } from './plan-types.ts';
import type { TargetValue } from './target-value.ts';

export interface ResourceParts {
  readonly target: TargetValue;
  readonly type: string;
  readonly title: string;
  readonly state: PuppetHash;
  readonly desiredState: PuppetHash;
  readonly events: readonly Value[];
}

/** A resource that a plan knows of a target. Its state changes when the plan says so. */
export class ResourceInstanceValue extends ObjectInstance {
  readonly target: TargetValue;
  private parts: ResourceParts;

  constructor(parts: ResourceParts) {
    super(PLAN_TYPES.object('ResourceInstance'), new Map());
    this.target = parts.target;
    this.parts = parts;
  }

  get reference(): string {
    return resourceReference(this.parts.type, this.parts.title);
  }

  /** Takes over what another instance of the same resource says. */
  merge({ parts }: ResourceInstanceValue): void {
    const { state, desiredState, events } = parts;
    this.parts = { ...this.parts, state, desiredState, events: [...this.parts.events, ...events] };
  }

  toData(): PuppetHash {
    const { target, type, title, state, desiredState, events } = this.parts;
    return PuppetHash.from({ target: target.name, type, title, state, desired_state: desiredState, events });
  }

  override attribute(name: string): Value | undefined {
    if (name === 'target') return this.target;
    return this.type.attributes.has(name) ? (this.toData().get(name) ?? null) : undefined;
  }

  override method(name: string): ObjectMethod | undefined {
    return this.type.functions.has(name) ? ([argument = null]) => this.member(name, argument) : undefined;
  }

  override at([key = null]: readonly Value[]): Value {
    return this.parts.state.get(key) ?? null;
  }

  override text(): string {
    return this.reference;
  }

  override equalityKey(): string {
    return `ResourceInstance:${this.target.name}:${this.reference}:${keyOf(this.toData())}`;
  }

  private member(name: string, argument: Value): Value {
    const { state, desiredState, events } = this.parts;
    const given = argument instanceof PuppetHash ? argument : new PuppetHash();
    switch (name) {
      case 'reference':
        return this.reference;
      case '[]':
        return this.at([argument]);
      case 'add_event':
        this.parts = { ...this.parts, events: [...events, argument] };
        return this.parts.events;
      case 'set_state':
      case 'overwrite_state':
        this.parts = { ...this.parts, state: name === 'set_state' ? merged(state, given) : given };
        return this.parts.state;
      default:
        this.parts = {
          ...this.parts,
          desiredState: name === 'set_desired_state' ? merged(desiredState, given) : given,
        };
        return this.parts.desiredState;
    }
  }
}

export function resourceReference(type: string, title: string): string {
  const name = plainText(type)
    .split('::')
    .map((segment) => segment.charAt(0).toUpperCase() + segment.slice(1))
    .join('::');
  return `${name}[${title}]`;
}

function merged(base: PuppetHash, over: PuppetHash): PuppetHash {
  return new PuppetHash([...base, ...over]);
}
