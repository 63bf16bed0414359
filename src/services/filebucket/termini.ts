/** What the file bucket needs from elsewhere. */

export interface EnvironmentTerminus {
  /** Requests name an environment, although backups do not belong to one; it must exist. */
  hasEnvironment(name: string): boolean;
}
