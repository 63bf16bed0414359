/** Why something could not be deployed, in words for the client. */
export class DeployError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'DeployError';
  }
}

/** Several things that went wrong independently of each other. */
export class DeployErrors extends Error {
  readonly errors: readonly Error[];

  constructor(errors: readonly Error[]) {
    super(errors.map((error) => error.message).join('\n'));
    this.name = 'DeployErrors';
    this.errors = errors;
  }
}

/** A cache could not be read and was thrown away: with the next attempt it is there again. */
export class CacheDamaged extends DeployError {}

/** Whether it was a damaged cache that kept something from being deployed. */
export function isCacheDamaged(error: unknown): boolean {
  if (error instanceof DeployErrors) return error.errors.some(isCacheDamaged);
  return error instanceof CacheDamaged;
}
