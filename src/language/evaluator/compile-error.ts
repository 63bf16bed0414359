import { PuppetError } from '../syntax/index.ts';

/** Why a node has no catalog: the mistake, with the node added to what it says. */
export class CompileError extends PuppetError {
  readonly certname: string;

  constructor(cause: PuppetError, certname: string) {
    super(cause.diagnostic, { cause, all: cause.all });
    this.name = 'CompileError';
    this.certname = certname;
    this.message = `${cause.message} on node ${certname}`;
  }
}
