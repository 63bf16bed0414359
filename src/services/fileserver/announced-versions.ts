/**
 * Which version agents were told about: they ask for the content of a file after its metadata, and refuse what does not fit.
 * Between the two there may be a deploy.
 */

/** Later than that nobody asks any more. */
const rememberedMs = 300_000;
/** Agents that are remembered, and paths of each; the oldest are forgotten first. */
const agentLimit = 20_000;
const pathLimit = 64;

interface Announcement {
  readonly codeId: string;
  readonly atMs: number;
}

export class AnnouncedVersions {
  readonly #agents = new Map<string, Map<string, Announcement>>();
  readonly #now: () => number;

  /** @param now - in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param key - mount and path of the file, or of the directory that was listed */
  announce(certname: string, environment: string, key: string, codeId: string): void {
    const agent = `${environment}/${certname}`;
    const paths = this.#agents.get(agent) ?? new Map<string, Announcement>();
    this.#agents.delete(agent);
    this.#agents.set(agent, paths);
    paths.delete(key);
    paths.set(key, { codeId, atMs: this.#now() });
    forgetOldest(paths, pathLimit);
    forgetOldest(this.#agents, agentLimit);
  }

  /** The version that the agent knows a file of; `undefined` when it was told nothing lately. */
  find(certname: string, environment: string, key: string): string | undefined {
    const paths = this.#agents.get(`${environment}/${certname}`);
    if (paths === undefined) return undefined;
    let latest: Announcement | undefined;
    for (const [path, announcement] of paths)
      if (key === path || key.startsWith(`${path}/`)) latest = announcement;
    return latest !== undefined && this.#now() - latest.atMs <= rememberedMs ? latest.codeId : undefined;
  }
}

function forgetOldest(map: Map<string, unknown>, limit: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}
