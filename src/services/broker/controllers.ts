/** The orchestrators that a broker is connected to. They send requests to agents, and get what agents send to them. */

/** The broker's way to one controller. */
export interface ControllerLink {
  /** `pcp://<authority of its URL>/server`, port included: what agents see as the sender, and answer to. */
  readonly uri: string;
  /** Other names that agents may know it by, from another broker. */
  readonly aliases: readonly string[];
  readonly bufferedBytes: number;
  send(text: string): void;
}

export interface ControllersOptions {
  /** Whether clients are only accepted while a controller is connected. */
  readonly areExpected: boolean;
  /** How long clients are kept while all controllers are lost. */
  readonly graceMs: number;
  /** Called when that time is over. */
  readonly onGraceOver: () => void;
}

export class Controllers {
  private readonly options: ControllersOptions;
  private readonly links = new Set<ControllerLink>();
  private hadOne = false;
  private grace: NodeJS.Timeout | undefined;

  constructor(options: ControllersOptions) {
    this.options = options;
  }

  /** Without any controller although there should be one. */
  get areLost(): boolean {
    return this.options.areExpected && this.links.size === 0;
  }

  get isFirstAwaited(): boolean {
    return this.areLost && !this.hadOne;
  }

  get names(): readonly string[] {
    return Array.from(this.links, ({ uri }) => uri);
  }

  find(uri: string): ControllerLink | undefined {
    for (const link of this.links) if (link.uri === uri) return link;
    for (const link of this.links) if (link.aliases.includes(uri)) return link;
    return undefined;
  }

  add(link: ControllerLink): void {
    this.links.add(link);
    this.hadOne = true;
    clearTimeout(this.grace);
    this.grace = undefined;
  }

  remove(link: ControllerLink): void {
    if (!this.links.delete(link) || !this.areLost) return;
    this.grace = setTimeout(this.options.onGraceOver, this.options.graceMs);
  }

  stop(): void {
    clearTimeout(this.grace);
  }
}
