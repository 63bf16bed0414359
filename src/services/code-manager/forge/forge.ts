/** Where released modules come from. */

export interface Forge {
  /** The version that `latest` means. @param slug - `OWNER-NAME` */
  latestVersion(slug: string, signal: AbortSignal): Promise<string>;
  /**
   * An archive that was checked.
   *
   * @returns its path; the file is not to be changed
   * @throws DeployError when there is no such release or it is damaged
   */
  archive(slug: string, version: string, signal: AbortSignal): Promise<string>;
}
