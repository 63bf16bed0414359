/** Where the API is. */

export const prefix = '/classifier-api/v1';
