/** What commands ask about identity providers, by the names that people gave them. */

import { z } from 'zod';
import { UsageError } from '../command.ts';
import type { CommandLine } from '../own-options.ts';
import { apiUrl, askService, consoleServices, type ServiceRequest } from '../service-connection.ts';

const ProviderWire = z.looseObject({
  id: z.string(),
  name: z.string(),
  display_name: z.string(),
  issuer: z.string(),
});
const ElapsedWire = z.object({ elapsed: z.number() });

/** As the API shows it: without the secret. */
export type ListedProvider = z.infer<typeof ProviderWire>;
export type ProviderFields = Readonly<Record<string, unknown>>;

/** The provider itself may take its time. */
const timeoutMs = 60_000;

export class ProviderClient {
  private readonly line: CommandLine;

  constructor(line: CommandLine) {
    this.line = line;
  }

  async all(): Promise<readonly ListedProvider[]> {
    return z.array(ProviderWire).parse(await this.ask({ method: 'GET', path: '/v1/oidc' }));
  }

  async find(name: string): Promise<ListedProvider | undefined> {
    return (await this.all()).find((each) => each.name === name);
  }

  /** @throws Error when there is none */
  async get(name: string): Promise<ListedProvider> {
    const found = await this.find(name);
    if (found === undefined) throw new Error(`There is no identity provider ${name}`);
    return found;
  }

  /** @returns how long it took, in milliseconds @throws Error with what went wrong */
  async test(fields: ProviderFields): Promise<number> {
    const answer = await this.ask({ method: 'POST', path: '/v1/command/oidc/test', body: fields });
    return ElapsedWire.parse(answer).elapsed;
  }

  /** @param fields - with the ID of the provider to change; a new one without */
  async save(fields: ProviderFields): Promise<void> {
    const command = fields['id'] === undefined ? 'create' : 'update';
    await this.ask({ method: 'POST', path: `/v1/command/oidc/${command}`, body: fields });
  }

  async delete({ id }: ListedProvider): Promise<void> {
    await this.ask({ method: 'POST', path: '/v1/command/oidc/delete', body: { id } });
  }

  private ask(request: ServiceRequest): Promise<unknown> {
    return askService(this.line, apiUrl(this.line, consoleServices, '/rbac-api'), { ...request, timeoutMs });
  }
}

/** @throws UsageError for anything but one name */
export function providerNameOf({ positional: [name, ...more] }: CommandLine): string {
  if (name === undefined || more.length > 0) throw new UsageError('name one identity provider');
  return name;
}
