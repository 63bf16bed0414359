/** Plans, as Bolt runs them: see `recorded/record.rb`. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DiskFileTree } from '../../lib/disk-file-tree.ts';
import type { Json } from '../../lib/json.ts';
import { parseYaml, yamlToData } from '../../lib/yaml/index.ts';
import { defaultLanguageSettings, Environment, ParseCache } from '../environment/index.ts';
import { type InventoryGroup, runPlanToEnd } from './index.ts';
import { ShellHost, type ShownEvent } from './shell-host.testing.ts';

interface Recorded {
  readonly status: string;
  readonly value: Json;
  readonly events: readonly ShownEvent[];
}

const here = fileURLToPath(new URL('recorded', import.meta.url));
const recorded = JSON.parse(readFileSync(`${here}/results.json`, 'utf8')) as Readonly<
  Record<string, Recorded>
>;
const inventory = yamlToData(
  parseYaml(readFileSync(`${here}/inventory.yaml`, 'utf8')),
) as unknown as InventoryGroup;
const cache = new ParseCache();

function environment(isBlock = false): Environment {
  return new Environment(
    {
      name: 'production',
      directory: '/environment',
      modulepath: ['/modules'],
      manifest: '/none',
      code: '',
      ...(isBlock ? {} : { isScript: true }),
      configVersion: 1,
      codeId: null,
      settings: { ...defaultLanguageSettings, strictVariables: !isBlock },
    },
    new DiskFileTree('/modules', `${here}/modules`),
    cache,
  );
}

/** Commands of ours in place of Bolt's. */
function inOurWords(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll("run 'bolt task show'", "run 'bunraku task list'")
      .replaceAll("run 'bolt plan show'", "run 'bunraku plan list'"),
  ) as unknown;
}

test.each(Object.entries(recorded))('%s', (name, expected) => {
  const host = new ShellHost(`${here}/modules`, '/modules');

  const outcome = runPlanToEnd(
    {
      environment: environment(),
      host,
      inventory: { all: inventory, transport: 'local' },
      termini: { outside: OUTSIDE },
      blockEnvironment: () => ({ environment: environment(true), termini: { outside: OUTSIDE } }),
      log: () => {},
    },
    name,
    {},
  );

  const isParallel = /parallel|background/.test(name);
  const shown = name.startsWith('t::apply_') ? withoutSteps : (events: readonly ShownEvent[]) => events;
  expect({ ...outcome, events: inOrder(shown(host.events), isParallel) }).toEqual(
    inOurWords({ ...expected, events: inOrder(shown(expected.events).map(asText), isParallel) }),
  );
});

/** Bolt tells of a step also when no catalog compiles, and of two steps where agents need one to prepare. */
function withoutSteps(events: readonly ShownEvent[]): readonly ShownEvent[] {
  const steps = ['step_start', 'disable_default_output', 'enable_default_output'];
  return events.filter((event) => !steps.some((step) => Object.hasOwn(event, step)));
}

/** Messages that are numbers or nothing are text here. */
function asText(event: ShownEvent): ShownEvent {
  const { message } = event;
  return message === undefined || typeof message === 'string' ? event : { message: String(message ?? '') };
}

/** What happens in threads beside each other has no order. */
function inOrder(events: readonly ShownEvent[], isParallel: boolean): readonly ShownEvent[] {
  const key = (event: ShownEvent): string => JSON.stringify(event);
  return isParallel ? events.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) : events;
}

const OUTSIDE = {
  generate: () => '',
  readServerFile: () => undefined,
  now: () => 0,
  random: () => 0,
  queryPuppetdb: () => [],
};
