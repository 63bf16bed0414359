/** Below the parent of environments: what is unpacked and copied before it takes its place. Nobody is to serve it. */
export const workingDirectory = '.code-manager';
