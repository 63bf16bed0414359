/** Numbers that stay until they change, over time. The same numbers have to be in a list beside it. */

import type { ReactElement } from 'react';
import styles from './step-chart.module.css';

export interface StepLine {
  readonly name: string;
  /** A token: `var(--accent)`. */
  readonly colour: string;
  readonly isDashed?: boolean;
  /** The oldest first; the last one only ends the line. */
  readonly steps: readonly { readonly timeMs: number; readonly value: number }[];
}

interface StepChartProps {
  /** What it shows, for those who can't see it. */
  readonly label: string;
  /** After the range of its numbers. */
  readonly unit: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly lines: readonly StepLine[];
}

const width = 960;
const height = 96;

export function StepChart({ fromMs, label, lines, toMs, unit }: StepChartProps): ReactElement {
  const most = Math.max(1, ...lines.flatMap(({ steps }) => steps.map(({ value }) => value)));
  const x = (timeMs: number) => ((timeMs - fromMs) / (toMs - fromMs)) * width;
  const y = (value: number) => height - 2 - (value / most) * (height - 4);
  const path = ({ steps }: StepLine) =>
    steps
      .map(
        ({ timeMs, value }, index) =>
          `${index === 0 ? 'M' : 'H'}${x(timeMs).toFixed(1)}${index === 0 ? ',' : 'V'}${y(value).toFixed(1)}`,
      )
      .join('');
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path d={`M0,${height - 1}H${width}`} className={styles.ground} />
        {lines.map((line) => (
          <path
            key={line.name}
            d={path(line)}
            className={styles.line}
            style={{ stroke: line.colour, strokeDasharray: line.isDashed === true ? '4 3' : undefined }}
          />
        ))}
      </svg>
      <figcaption className={styles.caption}>
        {lines.map(({ colour, isDashed, name }) => (
          <span key={name} className={styles.key}>
            <span
              className={styles.mark}
              style={{ borderColor: colour, borderTopStyle: isDashed === true ? 'dashed' : 'solid' }}
            />
            {name}
          </span>
        ))}
        <span className={styles.scale}>
          0 to {most} {unit}
        </span>
      </figcaption>
    </figure>
  );
}
