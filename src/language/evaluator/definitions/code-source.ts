import type { ResourceSource } from '../../catalog/index.ts';

/** Whose code declares something: a class, a defined type, a node or the main manifest. */
export class CodeSource implements ResourceSource {
  readonly kind: 'class' | 'define' | 'node';
  readonly name: string;
  readonly moduleName: string | undefined;
  /** The class that it inherits from, without `::` in front. */
  readonly parentName: string | undefined;

  constructor(
    kind: CodeSource['kind'],
    name: string,
    moduleName: string | undefined,
    parentName: string | undefined,
  ) {
    this.kind = kind;
    this.name = name;
    this.moduleName = moduleName;
    this.parentName = parentName;
  }
}
