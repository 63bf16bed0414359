/** Tens of thousands of nodes may be pinned to a group. */
export const maxBodyBytes = 16 * 1024 * 1024;
