/** Whether the classes and parameters that groups name are in the code of their environments. */

import type { Json } from '../../lib/json.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { ListedGroup } from './answers/wire.ts';
import { agentSpecified, type Classification, type Group } from './group.ts';
import type { Hierarchy } from './hierarchy.ts';
import { isInfrastructureClass } from './infrastructure-classes.ts';

/** What is served. */
export interface KnownClasses {
  environments(): Promise<readonly { readonly name: string; readonly isWhole: boolean }[]>;
  classes(): Promise<
    readonly {
      readonly environment: string;
      readonly name: string;
      readonly parameters: Readonly<Record<string, unknown>>;
    }[]
  >;
}

type Classes = Classification['classes'];

interface MissingClass {
  readonly name: string;
  /** Those that the class does not have; absent when there is no such class. */
  readonly parameters?: readonly string[];
}

/** One line of the message. */
interface ReferentError {
  readonly kind: 'missing-class' | 'missing-parameter';
  readonly missing: string | readonly string[];
  readonly group: string;
  readonly environment: string;
  readonly defined_by: string;
}

const deletedKey = 'puppetlabs.classifier/deleted';

export class Referents {
  /** Environment -> class -> parameters; only environments of which all is known. */
  private readonly known: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

  private constructor(known: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>) {
    this.known = known;
  }

  /** As they are in the versions that are served now. */
  static async read(known: KnownClasses): Promise<Referents> {
    const environments = (await known.environments()).filter(({ isWhole }) => isWhole);
    const classes = await known.classes();
    const parametersOf = (environment: string) =>
      classes
        .filter((each) => each.environment === environment)
        .map(({ name, parameters }) => [name, new Set(Object.keys(parameters))] as const);
    return new Referents(new Map(environments.map(({ name }) => [name, new Map(parametersOf(name))])));
  }

  /** What a group itself names and its environment does not have; `undefined` when it has everything. */
  deleted({ classes, environment }: Classification): ListedGroup['deleted'] | undefined {
    const missing = this.missing(environment, classes).map(({ name, parameters }) => [
      name,
      {
        [deletedKey]: parameters === undefined,
        ...Object.fromEntries(
          (parameters ?? []).map((parameter) => [
            parameter,
            { [deletedKey]: true, value: valueOf(classes, name, parameter) },
          ]),
        ),
      },
    ]);
    return missing.length === 0 ? undefined : Object.fromEntries(missing);
  }

  /**
   * Looks at a group and those below it, with what they inherit.
   *
   * @throws ServiceError `unprocessable` that lists what is missing where
   */
  check(hierarchy: Hierarchy, group: Group): void {
    const errors = this.errors(hierarchy, group);
    if (errors.length === 0) return;
    const things =
      errors.length === 1 ? 'A class or class parameter' : `${errors.length} classes or class parameters`;
    const message =
      `${things} that the group or one of its children defines or inherits ` +
      `${errors.length === 1 ? 'does' : 'do'} not exist in the group's environment. ` +
      'See the `details` key for a list of the specific errors.';
    throw new ServiceError('unprocessable', message, {
      kind: 'missing-referents',
      details: errors as unknown as Readonly<Record<string, unknown>>,
    });
  }

  private errors(hierarchy: Hierarchy, group: Group): readonly ReferentError[] {
    const { classes, environment } = hierarchy.inherited(group);
    const chain = [group, ...hierarchy.ancestorsOf(group)];
    const own = this.missing(environment, classes).flatMap(
      ({ name, parameters }): readonly ReferentError[] => {
        const told = { group: group.name, environment };
        if (parameters === undefined) {
          const definer = chain.find((each) => Object.hasOwn(each.classes, name)) ?? group;
          return [{ kind: 'missing-class', missing: name, ...told, defined_by: definer.name }];
        }
        return parameters.map((parameter) => {
          const definer = chain.find((each) => valueOf(each.classes, name, parameter) !== undefined) ?? group;
          return { kind: 'missing-parameter', missing: [name, parameter], ...told, defined_by: definer.name };
        });
      },
    );
    return [...own, ...hierarchy.childrenOf(group.id).flatMap((child) => this.errors(hierarchy, child))];
  }

  /** Nothing can be said of an environment that is not served as a whole, or that agents choose. */
  private missing(environment: string, classes: Classes): readonly MissingClass[] {
    const known = environment === agentSpecified ? undefined : this.known.get(environment);
    if (known === undefined) return [];
    return Object.entries(classes).flatMap(([name, values]): readonly MissingClass[] => {
      // Names that mean nothing here are accepted.
      if (isInfrastructureClass(name)) return [];
      const parameters = known.get(name);
      if (parameters === undefined) return [{ name }];
      const unknown = Object.keys(values).filter((parameter) => !parameters.has(parameter));
      return unknown.length === 0 ? [] : [{ name, parameters: unknown }];
    });
  }
}

function valueOf(classes: Classes, name: string, parameter: string): Json | undefined {
  const values = Object.hasOwn(classes, name) ? classes[name] : undefined;
  return values !== undefined && Object.hasOwn(values, parameter) ? values[parameter] : undefined;
}
