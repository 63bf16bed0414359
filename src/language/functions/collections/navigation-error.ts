import type { PuppetHash } from '../../pcore/index.ts';
import { type Diagnostic, PuppetError } from '../../syntax/index.ts';

/** A step into data that was not possible; `get` and `getvar` give it to their lambda as an `Error`. */
export class NavigationError extends PuppetError {
  readonly issueCode: string;
  readonly details: PuppetHash;

  constructor(diagnostic: Diagnostic, issueCode: string, details: PuppetHash) {
    super(diagnostic);
    this.issueCode = issueCode;
    this.details = details;
  }
}
