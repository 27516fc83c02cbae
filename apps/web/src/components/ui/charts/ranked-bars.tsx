export interface RankedRow {
  key: string
  name: string
  /** Length of the bar. There is no bar for a negative value. */
  value: number
  /** Length of the darker part of the bar. A negative value is a loss, which is drawn in red. */
  part: number
  /** If true, the part may be shorter than drawn. It is drawn paler. */
  isPartUncertain?: boolean
  /** The numbers as text, beside the bar. */
  text: string
}

interface RankedBarsProps {
  label: string
  rows: readonly RankedRow[]
  onOpen: (key: string) => void
}

/** Horizontal bars, longest first, each with a name and a number. */
export function RankedBars({ label, rows, onOpen }: RankedBarsProps) {
  const most = Math.max(...rows.map(({ value, part }) => Math.max(value, -part)), 1)
  const width = (amount: number) => `${(Math.max(0, Math.min(amount, most)) / most) * 100}%`
  return (
    <ol aria-label={label} className="flex flex-col">
      {rows.map(({ key, name, value, part, isPartUncertain, text }) => (
        <li key={key}>
          <button
            type="button"
            onClick={() => onOpen(key)}
            className="-mx-2 grid w-[calc(100%+16px)] grid-cols-[minmax(0,220px)_minmax(0,1fr)_auto] items-center gap-3 rounded-control px-2 py-1 text-start text-label hover:bg-hover phone:min-h-11 phone:grid-cols-[minmax(0,1fr)_auto]"
          >
            <bdi className="truncate" title={name}>
              {name}
            </bdi>
            <span className="relative block h-4 phone:order-1 phone:col-span-2 phone:h-2" aria-hidden>
              <span
                className="absolute inset-y-0 start-0 min-w-px rounded-[1.5px] bg-data/35"
                style={{ width: width(value) }}
              />
              <span
                className={`absolute inset-y-0 start-0 rounded-[1.5px] ${part < 0 ? 'bg-red' : isPartUncertain ? 'bg-data/35' : 'bg-data'}`}
                style={{ width: width(Math.abs(part)) }}
              />
            </span>
            <span className="text-end font-medium whitespace-nowrap tabular-nums">{text}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
