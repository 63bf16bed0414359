/**
 * The topics that a stream follows: the parts of a page come and go one after the other, the server is told of all of them at once.
 */

/** The page counts as mounted when nothing has come or gone for this long. */
const settleMs = 200;
/** The server takes no more. */
const most = 50;

export class TopicSet {
  private readonly send: (topics: readonly string[]) => Promise<unknown>;
  private wanted: readonly string[];
  /** What the server follows; undefined before the stream is open. */
  private told: readonly string[] | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;

  /** @param send - sends the whole set to the server, which replaces the earlier one */
  constructor(wanted: readonly string[], send: (topics: readonly string[]) => Promise<unknown>) {
    this.send = send;
    this.wanted = limited(wanted);
  }

  get all(): readonly string[] {
    return this.wanted;
  }

  want(topics: readonly string[]): void {
    this.wanted = limited(topics);
    this.settle();
  }

  /** The stream is open and follows these topics. */
  opened(told: readonly string[]): void {
    this.told = told;
    this.settle();
  }

  /** The stream has ended: the next one says what it follows. */
  closed(): void {
    this.told = undefined;
    clearTimeout(this.settling);
    this.settling = undefined;
  }

  private settle(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => void this.tell(), settleMs);
  }

  /** One request at a time: an earlier set must not arrive after a later one. */
  private async tell(): Promise<void> {
    const { told, wanted } = this;
    if (told === undefined || this.isSending || told.join() === wanted.join()) return;
    this.isSending = true;
    try {
      await this.send(wanted);
      if (this.told === told) this.told = wanted;
    } catch {
      // The stream ended or a permission was lost: the next stream starts with the topics of that time.
      if (this.told === told) this.told = undefined;
    } finally {
      this.isSending = false;
    }
    await this.tell();
  }
}

/** Topics of many pages come first; those of single objects are dropped first. */
function limited(topics: readonly string[]): readonly string[] {
  const isOfOne = (topic: string) => topic.includes(':');
  return [...topics.filter((topic) => !isOfOne(topic)), ...topics.filter(isOfOne)].slice(0, most);
}
