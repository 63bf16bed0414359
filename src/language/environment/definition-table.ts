/** The classes, defined types and nodes that an environment knows so far, each name defined once. */

import type { LanguageLevel } from '../levels/index.ts';
import {
  type Definition,
  type HostClassDefinition,
  Locator,
  type NodeDefinition,
  type Position,
  type Program,
  PuppetError,
  type ResourceTypeDefinition,
  renderPosition,
} from '../syntax/index.ts';
import type { Module } from './module.ts';
import { originOf, redefinedEntity } from './redefined-entity.ts';

/** A definition with where it comes from. */
export interface Found<D extends Definition> {
  readonly definition: D;
  /** The file that it is in. */
  readonly program: Program;
  /** The module of that file; `undefined` for the main manifest. */
  readonly module: Module | undefined;
}

export class DefinitionTable {
  private readonly level: LanguageLevel;
  private readonly classes = new Map<string, Found<HostClassDefinition>>();
  private readonly definedTypes = new Map<string, Found<ResourceTypeDefinition>>();
  private readonly nodesByName = new Map<string, Found<NodeDefinition>>();
  private readonly nodes: Found<NodeDefinition>[] = [];

  constructor(level: LanguageLevel) {
    this.level = level;
  }

  findClass(name: string): Found<HostClassDefinition> | undefined {
    return this.classes.get(name);
  }

  findDefinedType(name: string): Found<ResourceTypeDefinition> | undefined {
    return this.definedTypes.get(name);
  }

  /** In the order of their definition. */
  nodeDefinitions(): readonly Found<NodeDefinition>[] {
    return this.nodes;
  }

  /**
   * Takes in the classes, defined types and nodes of a file: all of them or, when it throws, none.
   *
   * @throws PuppetError when a name is taken, in the reference's wording
   */
  add(program: Program, module: Module | undefined): void {
    try {
      for (const definition of program.definitions) this.addOne(definition, program, module);
    } catch (error) {
      this.remove(program);
      throw error;
    }
  }

  private addOne(definition: Definition, program: Program, module: Module | undefined): void {
    if (definition.kind === 'HostClassDefinition') this.addClass({ definition, program, module });
    else if (definition.kind === 'ResourceTypeDefinition')
      this.addDefinedType({ definition, program, module });
    else if (definition.kind === 'NodeDefinition') this.addNode({ definition, program, module });
  }

  private remove(program: Program): void {
    for (const table of [this.classes, this.definedTypes, this.nodesByName]) {
      for (const [name, found] of table) if (found.program === program) table.delete(name);
    }
    const kept = this.nodes.filter((found) => found.program !== program);
    this.nodes.splice(0, this.nodes.length, ...kept);
  }

  private addClass(found: Found<HostClassDefinition>): void {
    const name = found.definition.name;
    refuse(this.classes.get(name), found, (at) => `Class '${name}' is already defined${at}; cannot redefine`);
    refuse(
      this.nodesByName.get(name),
      found,
      (at) => `Node '${name}' is already defined${at}; cannot be redefined as a class`,
    );
    refuse(
      this.definedTypes.get(name),
      found,
      (at) => `Definition '${name}' is already defined${at}; cannot be redefined as a class`,
    );
    this.classes.set(name, found);
  }

  private addDefinedType(found: Found<ResourceTypeDefinition>): void {
    const name = found.definition.name;
    refuse(
      this.classes.get(name),
      found,
      (at) => `'${name}' is already defined${at} as a class; cannot redefine as a definition`,
    );
    const known = this.definedTypes.get(name);
    if (known !== undefined)
      throw redefinedEntity(`type/${name}`, originOf(known.program, known.definition.offset));
    this.definedTypes.set(name, found);
  }

  private addNode(found: Found<NodeDefinition>): void {
    for (const match of found.definition.hostMatches) {
      const name = nodeName(match, this.level);
      refuse(
        this.nodesByName.get(name),
        found,
        (at) => `Node '${name}' is already defined${at}; cannot redefine`,
      );
      refuse(
        this.classes.get(name),
        found,
        (at) => `Class '${name}' is already defined${at}; cannot be redefined as a node`,
      );
      this.nodesByName.set(name, found);
    }
    this.nodes.push(found);
  }
}

/** The name under which a node is known: its own, or one made of its expression. */
function nodeName(match: NodeDefinition['hostMatches'][number], level: LanguageLevel): string {
  if (match.kind === 'LiteralString') return match.value.toLowerCase();
  if (match.kind === 'LiteralDefault') return 'default';
  return match.kind === 'LiteralRegularExpression' ? nodeNameOfExpression(match.source, level) : '';
}

/** What a node definition with a regular expression is called, here as in catalogs. */
export function nodeNameOfExpression(source: string, level: LanguageLevel): string {
  const lowerCase = source.toLowerCase();
  const distinct = level.namesNodesByLookaround ? spelledOut(lowerCase) : lowerCase;
  const name = distinct.replace(/[^-\w:.]/g, '').replace(/^\.+/, '');
  return `__node_regexp__${name}`;
}

/** `(?!a)` and `(?=a)` would have the same name without their punctuation. */
function spelledOut(source: string): string {
  return source.replace(/\(\?[^)]*\)/g, (group) =>
    group.replace(/[()?<>!=]/g, (character) => LOOKAROUND[character] ?? character),
  );
}

const LOOKAROUND: Readonly<Record<string, string>> = {
  '(': 'lp',
  '?': 'qu',
  '<': 'lt',
  '>': 'gt',
  '!': 'ex',
  '=': 'eq',
  ')': 'rp',
};

function refuse(
  taken: Found<Definition> | undefined,
  found: Found<Definition>,
  message: (at: string) => string,
): void {
  if (taken === undefined) return;
  throw new PuppetError({
    code: 'already_defined',
    severity: 'error',
    message: message(renderPosition(linePosition(taken))),
    ...linePosition(found),
  });
}

/** File and line without the column, as the reference locates definitions. */
function linePosition({ definition, program }: Found<Definition>): Position {
  return { file: program.source.file, line: new Locator(program.source).line(definition.offset) };
}
