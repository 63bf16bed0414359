/** What commands ask about directories, by the names that people gave them. */

import { z } from 'zod';
import { UsageError } from '../command.ts';
import type { CommandLine } from '../own-options.ts';
import { apiUrl, askService, consoleServices, type ServiceRequest } from '../service-connection.ts';

const DirectoryWire = z.looseObject({ id: z.string(), display_name: z.string() });
const ElapsedWire = z.object({ elapsed: z.number() });

/** As the API shows it: without the password. */
export type ListedDirectory = z.infer<typeof DirectoryWire>;
export type DirectoryFields = Readonly<Record<string, unknown>>;

/** The directory itself may take its time. */
const timeoutMs = 330_000;

export class DirectoryClient {
  private readonly line: CommandLine;

  constructor(line: CommandLine) {
    this.line = line;
  }

  async all(): Promise<readonly ListedDirectory[]> {
    return z.array(DirectoryWire).parse(await this.ask({ method: 'GET', path: '/v2/ldap' }));
  }

  async find(name: string): Promise<ListedDirectory | undefined> {
    return (await this.all()).find(({ display_name: each }) => each.toLowerCase() === name.toLowerCase());
  }

  /** @param name - the only directory when absent @throws Error when there is none, or several */
  async get(name: string | undefined): Promise<ListedDirectory> {
    if (name !== undefined) {
      const found = await this.find(name);
      if (found === undefined) throw new Error(`There is no directory ${name}`);
      return found;
    }
    const [first, ...others] = await this.all();
    if (first === undefined) throw new Error('No directory is connected');
    if (others.length > 0) throw new UsageError('name the directory: there are several');
    return first;
  }

  /** @returns how long it took, in milliseconds @throws Error with what went wrong */
  async test(fields: DirectoryFields): Promise<number> {
    const answer = await this.ask({ method: 'POST', path: '/v1/command/ldap/test', body: fields });
    return ElapsedWire.parse(answer).elapsed;
  }

  /** @param fields - with the ID of the directory to change; a new one without */
  async save(fields: DirectoryFields): Promise<void> {
    const command = fields['id'] === undefined ? 'create' : 'update';
    await this.ask({ method: 'POST', path: `/v1/command/ldap/${command}`, body: fields });
  }

  async delete({ id }: ListedDirectory): Promise<void> {
    await this.ask({ method: 'POST', path: '/v1/command/ldap/delete', body: { id } });
  }

  private ask(request: ServiceRequest): Promise<unknown> {
    return askService(this.line, apiUrl(this.line, consoleServices, '/rbac-api'), { ...request, timeoutMs });
  }
}

/** For commands about one directory. @throws UsageError for more words than a name */
export function directoryNameOf({ positional: [name, ...more] }: CommandLine): string | undefined {
  if (more.length > 0) throw new UsageError('name one directory; quote a name with blanks');
  return name;
}
