/** Filters and queries that people keep under a name, for themselves or for everybody who may see nodes. */

import { ServiceError } from '../../../lib/service-error.ts';
import type { SavedViewQuery, viewKinds } from '../wire.ts';
import type { ViewStore } from './store.ts';

export type ViewKind = (typeof viewKinds)[number];

export interface SavedView {
  readonly id: string;
  readonly kind: ViewKind;
  readonly name: string;
  /** The part of the address behind the question mark, or the query itself. */
  readonly content: string;
  readonly ownerId: string;
  readonly ownerLogin: string;
  /** Others see it; its owner alone changes it. */
  readonly isShared: boolean;
  readonly changedAt: Date;
}

export interface ViewUser {
  readonly id: string;
  readonly login: string;
}

const mostOfUser = 200;

export interface SavedViewsOptions {
  readonly now: () => Date;
  readonly newId: () => string;
}

export class SavedViews {
  private readonly store: ViewStore;
  private readonly options: SavedViewsOptions;

  constructor(store: ViewStore, options: SavedViewsOptions) {
    this.store = store;
    this.options = options;
  }

  /** Own ones, and those that others share. */
  async list({ id }: ViewUser): Promise<readonly SavedView[]> {
    return await this.store.visible(id);
  }

  /** @throws ServiceError `conflict` when the user has too many */
  async add(user: ViewUser, wanted: SavedViewQuery): Promise<SavedView> {
    if ((await this.store.countOf(user.id)) >= mostOfUser)
      throw new ServiceError('conflict', `${user.login} has ${mostOfUser} views already; delete one first`, {
        kind: 'bunraku.console/too-many-views',
      });
    const view = {
      id: this.options.newId(),
      kind: wanted.kind,
      name: wanted.name,
      content: wanted.content,
      ownerId: user.id,
      ownerLogin: user.login,
      isShared: wanted.is_shared,
      changedAt: this.options.now(),
    };
    await this.store.save(view);
    return view;
  }

  /** @throws ServiceError `not-found`; `forbidden` for another user's */
  async change(user: ViewUser, id: string, wanted: SavedViewQuery): Promise<SavedView> {
    const known = await this.own(user, id);
    const { content, is_shared: isShared, name } = wanted;
    const view = { ...known, content, isShared, name, changedAt: this.options.now() };
    await this.store.save(view);
    return view;
  }

  /** @throws ServiceError `not-found`; `forbidden` for another user's */
  async remove(user: ViewUser, id: string): Promise<void> {
    await this.own(user, id);
    await this.store.remove(id);
  }

  private async own(user: ViewUser, id: string): Promise<SavedView> {
    const view = await this.store.find(id);
    // What is not shared is as unknown as what never was.
    if (view === undefined || (view.ownerId !== user.id && !view.isShared))
      throw new ServiceError('not-found', `There is no view ${id}`, { kind: 'bunraku.console/unknown-view' });
    if (view.ownerId !== user.id)
      throw new ServiceError('forbidden', `The view ${view.name} belongs to ${view.ownerLogin}`, {
        kind: 'puppetlabs.rbac/permission-denied',
      });
    return view;
  }
}
