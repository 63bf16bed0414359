import { describe, expect, it } from 'vitest';
import { TagSet } from './tag-set.ts';

describe('tags', () => {
  it('come in the order in which they were added, each once', () => {
    const tags = new TagSet();

    tags.add('Class');
    tags.addIfValid('apache::mod');
    tags.addIfValid('/etc/motd');
    tags.add('mod');

    expect([...tags]).toEqual(['class', 'apache::mod', 'apache', 'mod']);
  });

  it('are those of the container as they were when they were taken over', () => {
    const container = new TagSet();
    container.add('class');
    const tags = new TagSet();
    tags.add('file');

    tags.addAll(container);
    container.add('late');
    tags.add('own');

    expect([...tags]).toEqual(['file', 'class', 'own']);
    expect([...container]).toEqual(['class', 'late']);
  });

  it('are taken over again when there are more of them', () => {
    const container = new TagSet();
    container.add('class');
    const tags = new TagSet();
    tags.addAll(container);

    container.add('late');
    tags.addAll(container);

    expect([...tags]).toEqual(['class', 'late']);
  });

  it('are what a set would have, however many there are and wherever they come from', () => {
    const sets = Array.from({ length: 6 }, () => ({ tags: new TagSet(), names: new Set<string>() }));
    let seed = 1;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };

    for (let step = 0; step < 2000; step += 1) {
      const target = sets[next(sets.length)];
      const source = sets[next(sets.length)];
      if (target === undefined || source === undefined || target === source) continue;
      if (step % 3 === 0) {
        target.tags.addAll(source.tags);
        for (const name of source.names) target.names.add(name);
      } else {
        const name = `t${next(60)}`;
        target.tags.add(name);
        target.names.add(name);
      }
      expect([...target.tags]).toEqual([...target.names]);
      expect(target.tags.has('t7')).toBe(target.names.has('t7'));
    }
  });
});
