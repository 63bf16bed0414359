import {
  AnyType,
  fault,
  IteratorValue,
  type PuppetType,
  RuntimeType,
  type Value,
} from '../../pcore/index.ts';

/**
 * What `tree_each` gives without a lambda. The reference has an object there that its type system does not know, and
 * which can be gone through but lacks what Ruby offers for collections.
 */
export class TreeIterator extends IteratorValue {
  override readonly className: string;

  constructor(isBreadthFirst: boolean, source: () => Iterable<Value>) {
    super(undefined, source);
    this.className = `Puppet::Pops::Types::Iterable::${isBreadthFirst ? 'Breadth' : 'Depth'}FirstTreeIterator`;
  }

  override step(size: number): IteratorValue {
    return new IteratorValue(AnyType.DEFAULT, () => super.step(size));
  }
  override reversed(): IteratorValue {
    return new IteratorValue(AnyType.DEFAULT, () => super.reversed());
  }
  override inferType(): PuppetType {
    return new RuntimeType('ruby', this.className);
  }
  override toString(): string {
    return `#<${this.className}>`;
  }
}

/** @throws PuppetError in Ruby's words for what cannot be done with the iterator of a tree */
export function refuseTree(value: Value, method: string): void {
  if (value instanceof TreeIterator) throw fault(`undefined method \`${method}' for ${value}`);
}
