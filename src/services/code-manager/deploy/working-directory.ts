/** Below the parent of environments: where files are unpacked and copied before they are moved into place. It is not served. */
export const workingDirectory = '.code-manager';
