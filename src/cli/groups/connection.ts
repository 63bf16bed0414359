/** Commands that ask the classifier. */

import { z } from 'zod';
import type { CommandLine } from '../own-options.ts';
import {
  apiUrl,
  askService,
  consoleServices,
  type ServiceRequest,
  serviceOptions,
  tokenUsage,
} from '../service-connection.ts';

export const connectionOptions = serviceOptions;

export const connectionUsage = `  --service-url URL    The API of groups (default: on the primary, https://PRIMARY:4433/classifier-api)
${tokenUsage}`;

const Values = z.record(z.string(), z.json());

const GroupWire = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  parent: z.string(),
  environment: z.string(),
  environment_trumps: z.boolean(),
  rule: z.json().optional(),
  classes: z.record(z.string(), Values),
  variables: Values,
  config_data: z.record(z.string(), Values).default({}),
  serial_number: z.int().optional(),
});

/** A group as the classifier shows it. */
export type WireGroup = z.infer<typeof GroupWire>;

/** @throws Error with what the classifier said */
export async function askClassifier(line: CommandLine, request: ServiceRequest): Promise<unknown> {
  return await askService(line, apiUrl(line, consoleServices, '/classifier-api'), request);
}

/** @throws ZodError when the answer is not a list of groups */
export function decodeGroups(answer: unknown): readonly WireGroup[] {
  return z.array(GroupWire).parse(answer);
}

/** All groups, by name. @throws as `askClassifier` */
export async function askGroups(line: CommandLine): Promise<readonly WireGroup[]> {
  return decodeGroups(await askClassifier(line, { method: 'GET', path: '/v1/groups' }));
}

type NamedGroup = Pick<WireGroup, 'id' | 'name'>;

/** @param wanted - a name or an id @throws Error when no group, or more than one, has the name */
export function findGroup<T extends NamedGroup>(groups: readonly T[], wanted: string): T {
  const [found, ...more] = groups.filter(({ id, name }) => name === wanted || id === wanted);
  if (found === undefined)
    throw new Error(`There is no group ${wanted}; there are ${groups.map(({ name }) => name).join(', ')}`);
  if (more.length > 0) throw new Error(`There are several groups ${wanted}: name one by its id`);
  return found;
}
