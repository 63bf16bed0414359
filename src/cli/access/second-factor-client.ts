/** What commands ask about second factors. */

import { z } from 'zod';
import type { CommandLine } from '../own-options.ts';
import { apiUrl, askService, consoleServices, type ServiceRequest } from '../service-connection.ts';

const StateWire = z.object({ enabled: z.boolean(), recovery_codes_left: z.number() });
const EnrolmentWire = z.object({ secret: z.string(), uri: z.string() });
const RecoveryWire = z.object({ recovery_codes: z.array(z.string()) });

/** Of the user whose token is shown, or of another one. */
export class SecondFactorClient {
  private readonly line: CommandLine;
  private readonly path: string;

  /** @param userId - `current` for the user who asks */
  constructor(line: CommandLine, userId: string) {
    this.line = line;
    this.path = `/v1/users/${userId}/second-factor`;
  }

  async state(): Promise<z.infer<typeof StateWire>> {
    return StateWire.parse(await this.ask({ method: 'GET', path: this.path }));
  }

  async begin(password: string): Promise<z.infer<typeof EnrolmentWire>> {
    const body = { current_password: password };
    return EnrolmentWire.parse(await this.ask({ method: 'POST', path: this.path, body }));
  }

  /** @returns the recovery codes */
  async confirm(code: string): Promise<readonly string[]> {
    const body = { one_time_code: code };
    return RecoveryWire.parse(await this.ask({ method: 'PUT', path: this.path, body })).recovery_codes;
  }

  /** @param proof - the password and a code, for one's own */
  async remove(proof?: { readonly current_password: string; readonly one_time_code: string }): Promise<void> {
    await this.ask({
      method: 'DELETE',
      path: this.path,
      ...(proof === undefined ? {} : { body: proof }),
    });
  }

  private ask(request: ServiceRequest): Promise<unknown> {
    return askService(this.line, apiUrl(this.line, consoleServices, '/rbac-api'), request);
  }
}
