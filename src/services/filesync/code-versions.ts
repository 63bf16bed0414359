/** The versions of code that this server has: which is live for each environment, and which are still in use. */

/** One commit of one environment, checked out. Immutable while anybody holds it. */
export interface CodeVersion {
  readonly environment: string;
  readonly commit: string;
  /** What catalogs and static file requests call it: `urn:puppet:code-id:1:<commit>;<environment>`. */
  readonly codeId: string;
  /** Where its files really are. */
  readonly directory: string;
}

/** The name of a commit as the `code_id` of catalogs. */
export function codeIdOf(environment: string, commit: string): string {
  return `urn:puppet:code-id:1:${commit};${environment}`;
}

/** The commit that a `code_id` names; `undefined` when it is none of ours. */
export function commitOf(codeId: string): string | undefined {
  return /^urn:puppet:code-id:1:([0-9a-f]{40});/.exec(codeId)?.[1];
}

export type VersionListener = (version: CodeVersion) => void;

export class CodeVersions {
  private readonly live = new Map<string, CodeVersion>();
  private readonly holders = new Map<CodeVersion, number>();
  private readonly flipListeners = new Set<VersionListener>();

  environments(): string[] {
    return [...this.live.keys()].sort();
  }

  current(environment: string): CodeVersion | undefined {
    return this.live.get(environment);
  }

  /** Commit by environment: what this server serves now. */
  commits(): Record<string, string> {
    return Object.fromEntries([...this.live].map(([environment, version]) => [environment, version.commit]));
  }

  /** Makes a version live. Whoever holds the one before keeps it. */
  flip(version: CodeVersion): void {
    this.live.set(version.environment, version);
    for (const listener of this.flipListeners) listener(version);
  }

  /** The environment is gone: new requests do not find it any more. */
  forget(environment: string): void {
    this.live.delete(environment);
  }

  /** Keeps a version from being pruned until the returned function is called (once). */
  hold(version: CodeVersion): () => void {
    this.holders.set(version, (this.holders.get(version) ?? 0) + 1);
    return () => {
      const left = (this.holders.get(version) ?? 1) - 1;
      if (left === 0) this.holders.delete(version);
      else this.holders.set(version, left);
    };
  }

  isInUse(directory: string): boolean {
    for (const version of this.live.values()) if (version.directory === directory) return true;
    for (const version of this.holders.keys()) if (version.directory === directory) return true;
    return false;
  }

  /** Calls the listener after each flip; the returned function ends that. */
  onFlip(listener: VersionListener): () => void {
    this.flipListeners.add(listener);
    return () => this.flipListeners.delete(listener);
  }
}
