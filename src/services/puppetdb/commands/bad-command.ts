/** A command that can never be carried out. */

import { z } from 'zod';

export class BadCommand extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BadCommand';
  }
}

/** @throws BadCommand naming the field and what is wrong with it */
export function decodeWith<T>(schema: z.ZodType<T>, value: unknown): T {
  try {
    return schema.parse(value);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw new BadCommand(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`, { cause: error });
  }
}
