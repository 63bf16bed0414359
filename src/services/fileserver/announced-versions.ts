/**
 * Which version agents were told about: they ask for the content of a file after its metadata, and refuse what does not fit.
 * Between the two there may be a deploy.
 */

/** Later than that no agent asks any more. */
const rememberedMs = 300_000;
/** Paths that are remembered of one agent, and of all: some forty megabytes. The oldest are forgotten first. */
const pathLimit = 64;
const totalLimit = 200_000;

interface Announcement {
  readonly codeId: string;
  readonly atMs: number;
}

interface Agent {
  readonly paths: Map<string, Announcement>;
  lastMs: number;
}

export class AnnouncedVersions {
  /** By agent, who was told something last at the end. */
  private readonly agents = new Map<string, Agent>();
  private readonly now: () => number;
  /** Paths of all agents. */
  private total = 0;

  /** @param now - in milliseconds */
  constructor(now: () => number) {
    this.now = now;
  }

  /** @param key - mount and path of the file, or of the directory that was listed */
  announce(certname: string, environment: string, key: string, codeId: string): void {
    const name = `${environment}/${certname}`;
    const agent = this.agents.get(name) ?? { paths: new Map<string, Announcement>(), lastMs: 0 };
    const { paths } = agent;
    agent.lastMs = this.now();
    this.agents.delete(name);
    this.agents.set(name, agent);
    this.total -= paths.size;
    paths.delete(key);
    paths.set(key, { codeId, atMs: agent.lastMs });
    if (paths.size > pathLimit) forgetFirst(paths);
    this.total += paths.size;
    this.forgetOld();
  }

  /** How many paths are remembered. */
  get size(): number {
    return this.total;
  }

  /** The version that the agent knows a file of; `undefined` when it was told nothing lately. */
  find(certname: string, environment: string, key: string): string | undefined {
    const agent = this.agents.get(`${environment}/${certname}`);
    if (agent === undefined) return undefined;
    let latest: Announcement | undefined;
    for (const [path, announcement] of agent.paths)
      if (key === path || key.startsWith(`${path}/`)) latest = announcement;
    return latest !== undefined && this.now() - latest.atMs <= rememberedMs ? latest.codeId : undefined;
  }

  /** Agents that were told nothing for too long, and those beyond the limit. */
  private forgetOld(): void {
    const before = this.now() - rememberedMs;
    for (const [name, { lastMs, paths }] of this.agents) {
      if (lastMs >= before && this.total <= totalLimit) return;
      this.agents.delete(name);
      this.total -= paths.size;
    }
  }
}

function forgetFirst(map: Map<string, unknown>): void {
  for (const first of map.keys()) {
    map.delete(first);
    return;
  }
}
