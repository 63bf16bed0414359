/** Groups of nodes: whom they match, and what they give to those. */

import type { JsonObject } from '../../lib/json.ts';
import type { Condition } from './condition.ts';

/** What a group gives to its nodes. */
export interface Classification {
  readonly environment: string;
  /** Its environment is taken where groups differ. */
  readonly environmentTrumps: boolean;
  /** Class -> parameters. */
  readonly classes: Readonly<Record<string, JsonObject>>;
  /** Top-scope variables. */
  readonly variables: JsonObject;
  /** Class -> parameters: values for a class wherever it is declared, without declaring it. Lookups find them. */
  readonly configData: Readonly<Record<string, JsonObject>>;
}

/** What an author decides of a group. */
export interface GroupDefinition extends Classification {
  readonly name: string;
  readonly description?: string;
  /** The root is its own parent. */
  readonly parent: string;
  /** Without a rule, a group matches no node; its children may. */
  readonly rule?: Condition;
}

export interface Group extends GroupDefinition {
  /** A UUID. */
  readonly id: string;
  /** One more with each change. */
  readonly serialNumber: number;
  readonly lastEdited: Date;
}

/** Of the group "All Nodes", which is there always. */
export const rootId = '00000000-0000-4000-8000-000000000000';

/** The environment of groups whose nodes choose for themselves. */
export const agentSpecified = 'agent-specified';

export const defaultEnvironment = 'production';

export function rootGroup(now: Date): Group {
  return {
    id: rootId,
    name: 'All Nodes',
    parent: rootId,
    rule: ['and', ['~', 'name', '.*']],
    environment: defaultEnvironment,
    environmentTrumps: false,
    classes: {},
    variables: {},
    configData: {},
    serialNumber: 1,
    lastEdited: now,
  };
}

export function definitionOf(group: Group): GroupDefinition {
  const { id: _id, lastEdited: _lastEdited, serialNumber: _serialNumber, ...definition } = group;
  return definition;
}
