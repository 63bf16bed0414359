/** Values of JSON, as `JSON.parse` returns them. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}
