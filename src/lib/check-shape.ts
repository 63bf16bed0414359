/** Values that others sent, checked by a schema. */

import { z } from 'zod';

/**
 * As `safeParse` of the schema, which throws for `{"length": {"toString": 1}}` where a text or a list of some length should be:
 * it compares the length of whatever has one.
 */
export function checkShape<T extends z.ZodType>(shape: T, value: unknown): z.ZodSafeParseResult<z.infer<T>> {
  try {
    return shape.safeParse(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = 'Invalid input: an object whose length is not a number';
    const issues = [{ code: 'custom' as const, path: [], message, input: undefined }];
    return { success: false, error: new z.ZodError(issues) as z.ZodError<z.infer<T>> };
  }
}
