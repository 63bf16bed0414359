/** Errors that are not of the reference's own kind, and that no expression has located. */

import { failure } from '../../catalog/index.ts';
import type { PuppetError } from '../../syntax/index.ts';

/** The error with the name of its class, as the reference's compiler puts it (`exceptwrap`). */
export function asArgumentError(error: PuppetError): PuppetError {
  return failure(`Puppet::Parser::Compiler failed with error ArgumentError: ${error.diagnostic.message}`);
}
