import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { formatDay } from '@/lib/format/format.ts'
import { axisLabel } from '@/lib/i18n/languages.ts'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { bandScale, labelledDays, linearScale, niceTicks } from './chart-scale.ts'
import { t } from '@/lib/i18n/messages.ts'

export interface DaySeries {
  name: string
  values: readonly number[]
  /** Class for the fill of the bars: `fill-data`. */
  fill: string
  /** Class for the color in the legend: `bg-data`. */
  swatch: string
  format: (value: number) => string
  /** True if the bars are drawn below zero, for undesired values. */
  isBelow?: boolean
  /** Values of at least this size are written at their bars. */
  labelFrom?: number
}

export interface DayPanel {
  /** Size of the drawing, in pixels. */
  height: number
  kind: 'bars' | 'line'
  series: readonly DaySeries[]
  formatTick: (value: number) => string
  /** True if the values are counts, which have no fractions. */
  isWhole?: boolean
  /** Maximum number of intervals between grid lines. A low panel has room for only one. */
  intervals?: number
}

interface DayChartProps {
  /** Accessible name of the chart. */
  label: string
  /** Dates in the form `2026-10-23`; the last one is today. If the steps are not days, any unique names. */
  dates: readonly string[]
  /** Returns the name of a step, short for the axis or in full. By default the steps are days. */
  nameOf?: (date: string, isFull: boolean) => string
  /** Number of steps in a group. The first step of each group is labeled. The default is 7. */
  labelGroup?: number
  /** Name of the last step on the axis; `today` by default. */
  lastName?: string
  /** False if the last step is complete. By default it is not, and its bar is paler. */
  isLastOpen?: boolean
  /**
   * Returns the names and values that a screen reader reads out for a step. The default is the values of all
   * series.
   */
  readingOf?: (step: number) => readonly (readonly [name: string, value: string])[]
  /** Opens a step. Called on a click or Enter. */
  onOpen?: (step: number) => void
  /**
   * The panels. Two measures are shown in two panels that share the axis of days, never in one panel with two
   * value axes.
   */
  panels: readonly DayPanel[]
  /** Text shown if there is nothing to draw. */
  emptyText: string
}

const TOP = 8
const PANEL_GAP = 22
const AXIS_HEIGHT = 22
const CHARACTER_PX = 6.3
const BELOW_GAP = 3
const LABEL_PX = 13
/** Limits the width of bars, because the bars of a few steps would otherwise be wide blocks. */
const MAX_BAR_PX = 56

export const chartHeight = (panels: readonly DayPanel[]): number =>
  TOP + panels.reduce((sum, panel) => sum + panel.height, 0) + (panels.length - 1) * PANEL_GAP + AXIS_HEIGHT

/** Shows bars or a line by day. The numbers of a day appear on hover, or with the arrow keys. */
export function DayChart(props: DayChartProps) {
  const { label, dates, panels, emptyText, lastName = t('today'), isLastOpen = true, onOpen } = props
  // If the steps are few and wide, their labels are centered below the bars.
  const isDays = props.nameOf === undefined
  const dayName = (day: number, isFull = false): string => {
    const date = dates[day]
    return date ? (props.nameOf ?? nameOfDay)(date, isFull) : ''
  }
  const readingOf = (day: number) =>
    props.readingOf?.(day) ??
    panels.flatMap(({ series }) =>
      series.map(({ name, values, format }) => [name, format(values[day] ?? 0)] as const),
    )
  const [ref, { width }] = useElementBox<HTMLDivElement>()
  const [active, setActive] = useState<number | null>(null)
  const scaledPanels = panels.map(scalePanel)
  const axisWidth = Math.ceil(
    Math.max(...scaledPanels.flatMap(({ texts }) => texts.map((text) => text.length))) * CHARACTER_PX + 10,
  )
  const bands = bandScale(dates.length, [axisWidth, Math.max(axisWidth, width)])
  const last = dates.length - 1
  const isEmpty = panels.every(({ series }) =>
    series.every(({ values }) => values.every((value) => value === 0)),
  )
  const height = chartHeight(panels)

  const point = (event: PointerEvent<HTMLDivElement>) =>
    setActive(bands.at(event.clientX - event.currentTarget.getBoundingClientRect().left))
  const move = (event: KeyboardEvent) => {
    const from = active ?? last
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key]
    if (event.key === 'Escape') setActive(null)
    if (event.key === 'Enter') onOpen?.(from)
    if (to === undefined) return
    event.preventDefault()
    setActive(Math.max(0, Math.min(last, to)))
  }
  const read = (day: number): string =>
    [dayName(day, true), ...readingOf(day).map(([name, value]) => `${name} ${value}`)].join(', ')

  return (
    <div
      ref={ref}
      role="slider"
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={dates.length}
      aria-valuenow={(active ?? last) + 1}
      aria-valuetext={read(active ?? last)}
      tabIndex={0}
      className={cx('relative touch-pan-y rounded-control', onOpen && 'cursor-pointer')}
      style={{ height }}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setActive(null)}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive(last)}
      onBlur={() => setActive(null)}
      onKeyDown={move}
      {...(onOpen && { onClick: () => active !== null && onOpen(active) })}
    >
      {width > 0 ? (
        <svg width={width} height={height} className="absolute inset-0 overflow-visible" aria-hidden>
          {active === null ? null : (
            <rect
              x={bands.center(active) - bands.step / 2}
              y={0}
              width={bands.step}
              height={height - AXIS_HEIGHT + 4}
              className="fill-ink opacity-6"
            />
          )}
          {panels.map((panel, index) => (
            <g key={index} transform={`translate(0 ${topOf(panels, index)})`}>
              <Grid panel={scaledPanels[index]} left={axisWidth} right={width} />
              {panel.kind === 'line' ? (
                <Line panel={panel} scale={scaledPanels[index]?.y} bands={bands} active={active} />
              ) : (
                <Bars
                  panel={panel}
                  scale={scaledPanels[index]?.y}
                  bands={bands}
                  paleStep={isLastOpen ? last : -1}
                />
              )}
            </g>
          ))}
          {labelledDays(dates.length, bands.step, props.labelGroup).map((day) => (
            <text
              key={day}
              x={day === last && isDays ? width : Math.max(bands.center(day), axisWidth)}
              y={height - 4}
              textAnchor={isDays ? (day === last ? 'end' : day === 0 ? 'start' : 'middle') : 'middle'}
              className={AXIS_TEXT}
            >
              {axisLabel(day === last ? lastName : dayName(day))}
            </text>
          ))}
        </svg>
      ) : null}
      {isEmpty ? (
        <p className="absolute inset-x-0 top-1/3 text-center text-label text-ink-3">{emptyText}</p>
      ) : null}
      {active === null || isEmpty ? null : (
        <Reading
          title={dayName(active, true)}
          rows={readingOf(active)}
          side={
            active < dates.length / 2
              ? { left: bands.center(active) + bands.step / 2 + 6 }
              : { right: width - bands.center(active) + bands.step / 2 + 6 }
          }
        />
      )}
    </div>
  )
}

const AXIS_TEXT = 'fill-ink-3 text-[11px] tabular-nums'

const nameOfDay = (date: string, withWeekday: boolean): string => formatDay(date, { withWeekday })

const topOf = (panels: readonly DayPanel[], index: number): number =>
  TOP + panels.slice(0, index).reduce((sum, panel) => sum + panel.height + PANEL_GAP, 0)

type Scale = (value: number) => number

interface DrawnPanel {
  y: Scale
  ticks: readonly number[]
  texts: readonly string[]
}

function scalePanel({
  height,
  kind,
  series,
  formatTick,
  isWhole = false,
  intervals = 2,
}: DayPanel): DrawnPanel {
  const above = series.filter(({ isBelow }) => !isBelow).flatMap(({ values }) => values)
  const below = series.filter(({ isBelow }) => isBelow)
  const max = Math.max(0, ...above)
  const min = Math.min(...above)
  // A line shows changes, so its axis need not start at zero. Bars show amounts, so their axis must.
  const ticks = niceTicks({ max, isWhole, intervals, ...(kind === 'line' && min > max / 2 && { min }) })
  const lowest = Math.max(0, ...below.flatMap(({ values }) => values))
  const labelHeight = below.some(({ labelFrom = Infinity }) => lowest >= labelFrom) ? LABEL_PX : 0
  const top = ticks.at(-1) ?? 0
  const y = linearScale(
    [(ticks[0] ?? 0) - lowest, top],
    [height - labelHeight - (lowest > 0 ? BELOW_GAP : 0), 0],
  )
  return { y, ticks, texts: ticks.map(formatTick) }
}

function Grid({ panel, left, right }: { panel: DrawnPanel | undefined; left: number; right: number }) {
  return panel?.ticks.map((tick, index) => (
    <g key={tick}>
      <line
        x1={left}
        x2={right}
        y1={Math.round(panel.y(tick)) + 0.5}
        y2={Math.round(panel.y(tick)) + 0.5}
        className="stroke-line"
        shapeRendering="crispEdges"
      />
      <text x={left - 8} y={panel.y(tick) + 4} textAnchor="end" className={AXIS_TEXT}>
        {axisLabel(panel.texts[index] ?? '')}
      </text>
    </g>
  ))
}

interface MarksProps {
  panel: DayPanel
  scale: Scale | undefined
  bands: ReturnType<typeof bandScale>
}

function Bars({ panel, scale, bands, paleStep }: MarksProps & { paleStep: number }) {
  if (!scale) return null
  const width = Math.min(MAX_BAR_PX, Math.max(1, bands.step * 0.77))
  const zero = scale(0)
  return panel.series.map(({ name, values, fill, isBelow, labelFrom = Infinity }) =>
    values.map((value, day) => {
      if (value === 0) return null
      // Even the smallest amount gets a visible height.
      const height = Math.max(1.5, Math.abs(zero - scale(value)))
      const y = isBelow ? zero + BELOW_GAP : zero - height
      return (
        <g key={`${name} ${day}`}>
          <rect
            x={bands.center(day) - width / 2}
            y={y}
            width={width}
            height={height}
            rx={Math.min(1.5, width / 2)}
            // The last step is not over yet, so its bar is paler.
            className={cx(fill, day === paleStep && 'opacity-45')}
          />
          {value >= labelFrom && width >= 7 ? (
            <text
              x={bands.center(day)}
              y={y + height + 11}
              textAnchor="middle"
              className="fill-red-ink text-[11px] font-semibold"
            >
              {value}
            </text>
          ) : null}
        </g>
      )
    }),
  )
}

function Line({ panel, scale, bands, active }: MarksProps & { active: number | null }) {
  if (!scale) return null
  return panel.series.map(({ name, values }) => {
    const day = active ?? values.length - 1
    return (
      <g key={name}>
        <polyline
          points={values.map((value, at) => `${bands.center(at)},${scale(value)}`).join(' ')}
          className="fill-transparent stroke-data"
          strokeWidth="1.75"
          strokeLinejoin="round"
        />
        <circle cx={bands.center(day)} cy={scale(values[day] ?? 0)} r="3" className="fill-data" />
      </g>
    )
  })
}

interface ReadingProps {
  title: string
  rows: readonly (readonly [name: string, value: string])[]
  side: { left: number } | { right: number }
}

/** Shows the numbers of one day. For screen readers, the slider's value contains the same numbers. */
const Reading = ({ title, rows, side }: ReadingProps) => (
  <div
    className="pointer-events-none absolute top-0 z-10 rounded-control bg-ink px-2.5 py-1.5 text-caption whitespace-nowrap text-bg shadow-float"
    style={side}
    aria-hidden
  >
    <p className="font-semibold">{title}</p>
    {rows.map(([name, value]) => (
      <p key={name} className="flex justify-between gap-3">
        {name} <span className="font-semibold">{value}</span>
      </p>
    ))}
  </div>
)
