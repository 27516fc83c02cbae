import { cx } from '@/lib/class-names.ts'

const WIDTH = 52
const HEIGHT = 24
const MARGIN = 3

/** A small line that shows a recent trend. The number is shown next to it. */
export function Spark({ values, className }: { values: readonly number[]; className?: string }) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (index: number) => MARGIN + (index / (values.length - 1)) * (WIDTH - 2 * MARGIN)
  const y = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN)
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`)
  const last = values.at(-1)
  if (last === undefined || values.length < 2) return null
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      className={cx('shrink-0', className)}
      aria-hidden
    >
      <polyline
        points={points.join(' ')}
        className="fill-transparent stroke-ink-3"
        strokeWidth="1.25"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx={x(values.length - 1)} cy={y(last)} r="2" className="fill-accent" />
    </svg>
  )
}
