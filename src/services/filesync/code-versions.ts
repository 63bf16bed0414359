/** The versions of code that this server has: which is live for each environment, and which are still in use. */

/** One commit of one environment, checked out. Immutable while anybody holds it. */
export interface CodeVersion {
  readonly environment: string;
  readonly commit: string;
  /** What catalogs and static file requests call it: `urn:puppet:code-id:1:<commit>;<environment>`. */
  readonly codeId: string;
  /** Where its files really are. */
  readonly directory: string;
  /** Where it belongs, below the directory of all code: `environments/production`. */
  readonly place: string;
  /** Where the files really are that all environments share (modules beside them), as they were when it was committed. */
  readonly sharedDirectory?: string;
  readonly sharedTree?: string;
  /** Of the commit, milliseconds since the epoch. */
  readonly dateMs: number;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
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

/** How many versions of an environment are kept after they were live: agents may still ask for their files. */
const spareVersions = 2;

export class CodeVersions {
  private readonly live = new Map<string, CodeVersion>();
  /** What was live, newest first, by environment. */
  private readonly earlier = new Map<string, readonly CodeVersion[]>();
  private readonly holders = new Map<CodeVersion, number>();
  private readonly flipListeners = new Set<VersionListener>();

  environments(): string[] {
    return [...this.live.keys()].sort();
  }

  current(environment: string): CodeVersion | undefined {
    return this.live.get(environment);
  }

  /** Some version that is live; `undefined` when none is. */
  any(): CodeVersion | undefined {
    for (const version of this.live.values()) return version;
    return undefined;
  }

  /** A version that is live or was so not long ago. */
  find(environment: string, codeId: string): CodeVersion | undefined {
    const live = this.live.get(environment);
    if (live?.codeId === codeId) return live;
    return this.earlier.get(environment)?.find((version) => version.codeId === codeId);
  }

  /** Commit by environment: what this server serves now. */
  commits(): Record<string, string> {
    return Object.fromEntries([...this.live].map(([environment, version]) => [environment, version.commit]));
  }

  /** Makes a version live. Holders of the one before keep it. */
  flip(version: CodeVersion): void {
    const { environment } = version;
    const before = this.live.get(environment);
    const earlier = [before, ...(this.earlier.get(environment) ?? [])].filter(
      (known) => known !== undefined && known.directory !== version.directory,
    );
    this.earlier.set(environment, (earlier as CodeVersion[]).slice(0, spareVersions));
    this.live.set(environment, version);
    for (const listener of this.flipListeners) listener(version);
  }

  /** The environment is gone: new requests do not find it any more. */
  forget(environment: string): void {
    this.live.delete(environment);
    this.earlier.delete(environment);
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

  /** What is live, held, or kept for a while. */
  inUse(): readonly CodeVersion[] {
    return [
      ...new Set([...this.live.values(), ...this.holders.keys(), ...[...this.earlier.values()].flat()]),
    ];
  }

  /** Keeps no version any longer than it is live or held: there is no room. */
  dropEarlier(): void {
    this.earlier.clear();
  }

  /** Calls the listener after each flip; the returned function ends that. */
  onFlip(listener: VersionListener): () => void {
    this.flipListeners.add(listener);
    return () => this.flipListeners.delete(listener);
  }
}
