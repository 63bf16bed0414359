/** JSON that clients send, read and checked by one rule, with the errors of one API. */

import { z } from 'zod';
import { checkShape } from './check-shape.ts';

/** A body that is JSON, but not what was asked for. */
export interface Misshapen {
  readonly submitted: unknown;
  readonly shape: z.ZodType;
  /** At least one. A path is `names.0`, or empty for the body itself. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}

export interface BodyRefusals {
  /** The API takes a missing body for an empty object. */
  readonly takesEmpty?: boolean;
  notJson(text: string, cause: SyntaxError): Error;
  misshapen(problem: Misshapen): Error;
}

export class JsonBodies {
  private readonly refusals: BodyRefusals;

  constructor(refusals: BodyRefusals) {
    this.refusals = refusals;
  }

  /** @throws what the API says to what is not JSON */
  parse(body: Buffer): unknown {
    const { refusals } = this;
    if (body.length === 0 && refusals.takesEmpty === true) return {};
    const text = body.toString('utf8');
    try {
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) throw refusals.notJson(text, error);
      throw error;
    }
  }

  /** @throws what the API says to what is not JSON, or not of the shape */
  decode<T extends z.ZodType>(shape: T, body: Buffer): z.infer<T> {
    return this.check(shape, this.parse(body));
  }

  /** @throws what the API says to what is not of the shape */
  check<T extends z.ZodType>(shape: T, submitted: unknown): z.infer<T> {
    const result = checkShape(shape, submitted);
    if (result.success) return result.data;
    const issues = result.error.issues.map(({ message, path }) => ({ path: path.join('.'), message }));
    throw this.refusals.misshapen({ submitted, shape, issues });
  }
}

/** The first mistake: `names.0: Invalid input`. */
export function firstMistake({ issues: [first] }: Pick<Misshapen, 'issues'>): string {
  return `${first?.path ?? ''}: ${first?.message ?? ''}`;
}

/** All mistakes in one line. */
export function allMistakes({ issues }: Pick<Misshapen, 'issues'>): string {
  return issues.map(({ message, path }) => `${path}: ${message}`).join('; ');
}
