/** Counts and times by route, in the form that Puppet Server's status has them under `http-metrics`. */

export interface RouteStatistic {
  /** `puppet-v3-catalog-/[*]/`, without the brackets. */
  readonly routeId: string;
  readonly count: number;
  readonly meanMs: number;
  readonly aggregateMs: number;
}

interface Sum {
  count: number;
  totalMs: number;
}

export class RouteStatistics {
  private readonly byRoute = new Map<string, Sum>();

  /** @param route - a route's path pattern */
  observe(route: string, durationMs: number): void {
    let sum = this.byRoute.get(route);
    if (sum === undefined) {
      sum = { count: 0, totalMs: 0 };
      this.byRoute.set(route, sum);
    }
    sum.count++;
    sum.totalMs += durationMs;
  }

  /** Those under `prefix` and their total, the most time first. */
  under(prefix: string): readonly RouteStatistic[] {
    const routes = Array.from(this.byRoute).filter(([route]) => route.startsWith(prefix));
    const total = routes.reduce(
      (sum, [, { count, totalMs }]) => ({ count: sum.count + count, totalMs: sum.totalMs + totalMs }),
      { count: 0, totalMs: 0 },
    );
    const statistics = [
      ...routes.map(([route, sum]) => statistic(routeId(route), sum)),
      statistic('total', total),
    ];
    return statistics.toSorted((a, b) => b.aggregateMs - a.aggregateMs);
  }
}

function statistic(id: string, { count, totalMs }: Sum): RouteStatistic {
  return {
    routeId: id,
    count,
    meanMs: count === 0 ? 0 : Math.round(totalMs / count),
    aggregateMs: Math.round(totalMs),
  };
}

/** `/puppet/v3/catalog/:certname` gets the name that the reference has for it: everything behind the first variable part is one. */
function routeId(route: string): string {
  const parts = route.split('/').filter((part) => part !== '');
  const variable = parts.findIndex((part) => part.startsWith(':') || part.startsWith('*'));
  return variable < 0 ? parts.join('-') : [...parts.slice(0, variable), '/*/'].join('-');
}
