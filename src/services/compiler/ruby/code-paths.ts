/** Where code lies, for people and for the file system. */

export interface CodePaths {
  /** What users know: `/etc/puppetlabs/code/environments/production`. */
  readonly logicalDirectory: string;
  /** Where this version of it is. */
  readonly physicalDirectory: string;
}

export function physicalPath(path: string, { logicalDirectory, physicalDirectory }: CodePaths): string {
  const isInside = path === logicalDirectory || path.startsWith(`${logicalDirectory}/`);
  return isInside ? physicalDirectory + path.slice(logicalDirectory.length) : path;
}

/** Text in which paths may occur, as users know them. */
export function withLogicalPaths(text: string, { logicalDirectory, physicalDirectory }: CodePaths): string {
  return physicalDirectory === logicalDirectory ? text : text.replaceAll(physicalDirectory, logicalDirectory);
}
