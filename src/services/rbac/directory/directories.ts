/** The directories that users log in with: connected, changed and tested by users who may. */

import type { SerialQueue } from '../../../lib/serial-queue.ts';
import { LdapError, type LdapTrust } from '../../../platform/ldap/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import { by } from '../changes.ts';
import { anyInstance } from '../permission.ts';
import { demand, rbacError } from '../rbac-error.ts';
import type { Actor } from '../user.ts';
import type { Directory, SecretSeal, SubmittedDirectory } from './directory.ts';
import { directoryChange } from './directory-changes.ts';
import { DirectoryClient } from './directory-client.ts';
import type { DirectoryStore } from './directory-store.ts';
import { isSameName } from './names.ts';

export interface DirectoriesOptions {
  readonly store: DirectoryStore;
  /** Shared with all that changes users and groups. */
  readonly queue: SerialQueue;
  readonly seal: SecretSeal;
  readonly trust: LdapTrust;
  readonly log: Logger;
  readonly now: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
}

export interface TestRun {
  readonly elapsedMs: number;
  /** Absent when the directory answered as it should. */
  readonly error: string | undefined;
}

export class Directories {
  private readonly options: DirectoriesOptions;
  /** Requests with tokens ask for them, and nothing else than this changes them. */
  private known: Promise<readonly Directory[]> | undefined;

  constructor(options: DirectoriesOptions) {
    this.options = options;
  }

  /** Those that users can log in with. */
  async connected(): Promise<readonly Directory[]> {
    return (await this.all()).filter(({ isConnected }) => isConnected);
  }

  async findConnected(id: string): Promise<Directory | undefined> {
    return (await this.connected()).find((each) => each.id === id);
  }

  /** Whether there is such a directory, connected or not. */
  async has(id: string): Promise<boolean> {
    return (await this.all()).some((each) => each.id === id);
  }

  /** @throws ServiceError `not-found` */
  async get(id: string): Promise<Directory> {
    const directory = await this.findConnected(id);
    if (directory === undefined)
      throw rbacError('not-found', 'not-found', `There is no directory with the ID ${id}`);
    return directory;
  }

  /** The only one, for APIs that know no more. @throws ServiceError `conflict` when there are several */
  async only(): Promise<Directory | undefined> {
    const [first, ...others] = await this.connected();
    if (others.length === 0) return first;
    throw rbacError(
      'conflict',
      'several-directories',
      'Several directories are connected: use /v2/ldap and /v1/command/ldap, which name one of them',
    );
  }

  create(submitted: SubmittedDirectory, actor: Actor): Promise<Directory> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      return await this.save(undefined, submitted, actor);
    });
  }

  /** @throws ServiceError `not-found` */
  update(id: string, submitted: SubmittedDirectory, actor: Actor): Promise<Directory> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      return await this.save(await this.get(id), submitted, actor);
    });
  }

  /** Changes the only directory, connects the last one again that was disconnected, or makes one. */
  replaceOnly(submitted: SubmittedDirectory, actor: Actor): Promise<Directory> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      const before = (await this.only()) ?? (await this.all()).at(-1);
      return await this.save(before, submitted, actor);
    });
  }

  /** Its users and groups stay, without rights until it is connected again. */
  disconnectOnly(actor: Actor): Promise<void> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      const before = await this.only();
      if (before === undefined) return;
      await this.store(before, { ...before, isConnected: false }, actor);
    });
  }

  /** With the user groups that were imported from it. @throws ServiceError `not-found` */
  remove(id: string, actor: Actor): Promise<void> {
    return this.options.queue.run(async () => {
      demandEdit(actor);
      const directory = await this.get(id);
      const { log, now, store } = this.options;
      await store.remove(id, directoryChange(directory, undefined).map(by(actor, now())));
      this.known = undefined;
      log.info({ directory: directory.settings.displayName, by: actor.login }, 'deleted directory');
    });
  }

  /**
   * @param stored - whose password is used when none is submitted
   * @throws ServiceError `bad-request` when the stored password may not be used
   */
  async test(submitted: SubmittedDirectory, stored: Directory | undefined, actor: Actor): Promise<TestRun> {
    demandEdit(actor);
    return await this.run(this.candidate(stored, submitted));
  }

  async testStored(directory: Directory, actor: Actor): Promise<TestRun> {
    demandEdit(actor);
    return await this.run(directory);
  }

  client(directory: Directory): DirectoryClient {
    const { now, trust } = this.options;
    const { settings } = directory;
    return new DirectoryClient({ settings, password: this.passwordOf(directory), trust, now });
  }

  private all(): Promise<readonly Directory[]> {
    if (this.known === undefined) {
      const reading = this.options.store.all();
      this.known = reading;
      reading.catch(() => {
        if (this.known === reading) this.known = undefined;
      });
    }
    return this.known;
  }

  private async run(directory: Directory): Promise<TestRun> {
    const start = performance.now();
    const elapsed = () => Math.round(performance.now() - start);
    try {
      await this.client(directory).test();
      return { elapsedMs: elapsed(), error: undefined };
    } catch (error) {
      if (error instanceof LdapError) return { elapsedMs: elapsed(), error: error.message };
      throw error;
    }
  }

  private async save(
    before: Directory | undefined,
    submitted: SubmittedDirectory,
    actor: Actor,
  ): Promise<Directory> {
    const after = this.candidate(before, submitted);
    const { displayName } = after.settings;
    const others = (await this.connected()).filter(({ id }) => id !== after.id);
    if (others.some(({ settings }) => isSameName(settings.displayName, displayName)))
      throw rbacError('conflict', 'conflict', `There is a directory with the name ${displayName} already`);
    await this.store(before, after, actor);
    return after;
  }

  private async store(before: Directory | undefined, after: Directory, actor: Actor): Promise<void> {
    const { log, now, store } = this.options;
    await store.save(after, directoryChange(before, after).map(by(actor, now())));
    this.known = undefined;
    const { displayName } = after.settings;
    log.info(
      { directory: displayName, isConnected: after.isConnected, by: actor.login },
      'changed directory',
    );
  }

  /** What is submitted, with the stored password where none is given. */
  private candidate(before: Directory | undefined, { password, settings }: SubmittedDirectory): Directory {
    const { newId, now, seal } = this.options;
    // The same password keeps its encrypted form: nothing has changed then.
    const isStored = password === undefined || (before !== undefined && this.passwordOf(before) === password);
    const known = {
      id: before?.id ?? newId(),
      createdAt: before?.createdAt ?? now(),
      isConnected: true,
      settings,
    };
    if (settings.lookupUser === undefined) return { ...known, sealedPassword: undefined };
    if (password === undefined) refuseOtherPlace(before, settings);
    return { ...known, sealedPassword: isStored ? before?.sealedPassword : seal.close(password) };
  }

  /** @returns `undefined` where none is stored, and where the key is not the one that encrypted it */
  private passwordOf({ sealedPassword, settings }: Directory): string | undefined {
    const { log, seal } = this.options;
    if (sealedPassword === undefined) return undefined;
    try {
      return seal.open(sealedPassword);
    } catch (err) {
      const directory = settings.displayName;
      log.error({ err, directory }, 'cannot decrypt the password of the lookup user: set it again');
      return undefined;
    }
  }
}

/** Who may change a directory must not learn the stored password by sending it to a server of their own. */
function refuseOtherPlace(before: Directory | undefined, settings: Directory['settings']): void {
  const had = before?.settings;
  const isSamePlace =
    before?.sealedPassword !== undefined &&
    had?.hostname === settings.hostname &&
    had.port === settings.port &&
    had.lookupUser === settings.lookupUser &&
    had.security === settings.security &&
    (had.checksHostname ? settings.checksHostname : true);
  if (isSamePlace) return;
  throw rbacError(
    'bad-request',
    'schema-violation',
    'The password of the lookup user is needed: none is stored, or the host, the port, the lookup user or TLS has changed',
    { error: 'password: needed' },
  );
}

/** The reference has one permission to see, to change and to test. */
export function demandEdit(actor: Actor): void {
  demand(actor, { objectType: 'directory_service', action: 'edit', instance: anyInstance });
}
