/** What a plan takes, as its text says: nothing of it is evaluated. */

import type { Environment } from '../environment/index.ts';
import { treeText } from '../pcore/index.ts';
import type { PlanDefinition, Program } from '../syntax/index.ts';
import { PlanError } from './plan-error.ts';
import { planSource } from './yaml/plan-source.ts';

export interface PlanParameterDescription {
  /** As written; `Any` where nothing is. */
  readonly type: string;
  /** As written; absent for one that must be given. */
  readonly defaultValue?: string;
  readonly description?: string;
  /** Its value is never shown. */
  readonly isSensitive: boolean;
}

export interface PlanDescription {
  readonly name: string;
  readonly description?: string;
  readonly parameters: Readonly<Record<string, PlanParameterDescription>>;
}

/** @throws PuppetError for a plan that cannot be read, PlanError when there is none of that name */
export function describePlan(environment: Environment, name: string): PlanDescription {
  const found = environment.findPlan(name, (yaml, file) => planSource(name, yaml, file));
  if (found === undefined) throw PlanError.of('bolt/unknown-plan', `Could not find a plan named '${name}'.`);
  const { definition, program } = found;
  const comments = commentsOf(definition, program);
  const parameters = definition.parameters.map((parameter) => {
    const { name: parameterName, typeExpr, value } = parameter;
    const type = typeExpr === undefined ? 'Any' : treeText(program.source.text, typeExpr);
    const description = comments.parameters.get(parameterName);
    return [
      parameterName,
      {
        type,
        isSensitive: /^(?:::)?Sensitive\b/.test(type),
        ...(value === undefined ? {} : { defaultValue: treeText(program.source.text, value) }),
        ...(description === undefined ? {} : { description }),
      },
    ] as const;
  });
  return {
    name,
    ...(comments.description === '' ? {} : { description: comments.description }),
    parameters: Object.fromEntries(parameters),
  };
}

interface Comments {
  readonly description: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The comment right before the plan, with `@summary` and `@param NAME TEXT`. */
function commentsOf(definition: PlanDefinition, program: Program): Comments {
  const lines = program.source.text.slice(0, definition.offset).trimEnd().split('\n');
  const own: string[] = [];
  for (const line of lines.toReversed()) {
    const [, text] = /^\s*#\s?(.*)$/.exec(line) ?? [];
    if (text === undefined) break;
    own.unshift(text.trimEnd());
  }
  const parameters = new Map<string, string>();
  const description: string[] = [];
  let add = (text: string): unknown => description.push(text);
  for (const line of own) {
    const [, tag, rest = ''] = /^@(\w+)\s*(.*)$/.exec(line.trim()) ?? [];
    const [, parameter = '', text = ''] = /^(?:\[[^\]]*\]\s*)?(\w+)\s*(.*)$/.exec(rest) ?? [];
    if (tag === undefined) {
      if (line.trim() !== '') add(line.trim());
    } else if (tag === 'param') {
      parameters.set(parameter, text);
      add = (more) => parameters.set(parameter, `${parameters.get(parameter) ?? ''} ${more}`.trim());
    } else if (tag === 'summary') {
      description.push(rest);
      add = (more) => description.push(more);
    } else {
      add = () => undefined;
    }
  }
  return { description: description.join(' ').trim(), parameters };
}
