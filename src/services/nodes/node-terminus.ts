/** Where classifications come from: an external program, or the main manifest alone. */

import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../lib/service-error.ts';
import { type Classification, decodeClassification } from './classification.ts';
import { type ProgramOptions, runProgram } from './external-program.ts';

/** No classifier; only the main manifest applies. */
export const plainNodes = {
  find: (): Promise<Pick<Classification, 'classes' | 'parameters'>> =>
    Promise.resolve({ classes: {}, parameters: {} }),
};

/** `node_terminus = exec`: the program of `external_nodes`, called with the certname. */
export class ExecNodes {
  private readonly command: string;
  private readonly options: ProgramOptions;

  /** @param command - the program's absolute path, arguments allowed, separated by blanks */
  constructor(command: string, options: ProgramOptions) {
    this.command = command;
    this.options = options;
  }

  /**
   * @returns `undefined` when the program knows nothing of the node: it answers with nothing
   * @throws ServiceError `compile-failed` in the reference's words
   */
  async find(
    { certname }: { readonly certname: string },
    signal: AbortSignal,
  ): Promise<Classification | undefined> {
    const text = await this.ask(certname, signal);
    return text.trim() === '' ? undefined : decodeClassification(certname, text);
  }

  private async ask(certname: string, signal: AbortSignal): Promise<string> {
    if (this.command === 'none')
      throw refused("You must set the 'external_nodes' parameter to use the external node terminus");
    const command = this.command.split(/\s+/).filter((word) => word !== '');
    if (command[0]?.startsWith('/') !== true)
      throw refused('You must set the exec parameter to a fully qualified command');
    try {
      const output = await runProgram([...command, certname], this.options, signal);
      if (!isUtf8(output)) throw refused('invalid byte sequence in UTF-8');
      return output.toString('utf8');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw refused(`Failed to find ${certname} via exec: ${error.message}`);
    }
  }
}

function refused(message: string): ServiceError {
  return new ServiceError('compile-failed', message);
}
