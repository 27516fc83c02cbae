import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '@/lib/class-names.ts'
import { Card } from '../display/card.tsx'
import { IconButton } from '../actions/icon-button.tsx'
import { t } from '@/lib/i18n/messages.ts'

export interface ChartTable {
  head: readonly string[]
  /** The cells of each row. The first cell names the row. */
  rows: readonly (readonly string[])[]
}

interface ChartCardProps {
  title: string
  /** Shown between the title and the button, such as a legend or the total. */
  aside?: ReactNode
  /** Returns the numbers of the chart. Called only while they are shown. */
  table: () => ChartTable
  /** Minimum height of chart and table, so that the page does not move when one replaces the other. */
  height: number
  className?: string
  children: ReactNode
}

/** A chart, with a button that shows its numbers as a table. */
export function ChartCard({ title, aside, table, height, className, children }: ChartCardProps) {
  const [isTable, setIsTable] = useState(false)
  const label = isTable ? t('Show {title} as a chart', { title }) : t('Show {title} as a table', { title })
  const Icon = isTable ? ChartColumn : Table2
  return (
    <Card
      className={cx('@container', className)}
      title={title}
      aside={
        <span className="-me-2 flex items-center gap-2">
          {aside}
          <IconButton label={label} size="sm" onClick={() => setIsTable(!isTable)}>
            <Icon size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </span>
      }
    >
      <div className="px-4 pt-3.5 pb-3">
        {isTable ? <Numbers title={title} table={table()} height={height} /> : children}
      </div>
    </Card>
  )
}

const Numbers = ({ title, table, height }: { title: string; table: ChartTable; height: number }) => (
  <section
    // The table scrolls, so the keyboard must be able to reach it.
    tabIndex={0}
    aria-label={title}
    className="-mx-4 overflow-y-auto px-4 -outline-offset-2"
    style={{ height }}
  >
    <table className="w-full text-label">
      <thead className="sticky top-0 bg-surface text-caption text-ink-3">
        <tr>
          {table.head.map((name, column) => (
            <th key={name} scope="col" className={cellClass(column, 'h-7 font-medium')}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(([name, ...cells]) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className={cellClass(0, 'h-7 font-normal text-ink-2')}>
              {name}
            </th>
            {cells.map((cell, index) => (
              <td key={table.head[index + 1]} className={cellClass(index + 1, 'font-medium')}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const cellClass = (column: number, look: string): string => cx(column === 0 ? 'text-start' : 'text-end', look)

/** An entry of the legend: a color and its meaning. */
export const ChartKey = ({ swatch, children }: { swatch: string; children: ReactNode }) => (
  <span className="flex items-center gap-1.5">
    <i className={cx('size-2 rounded-[2px]', swatch)} />
    {children}
  </span>
)
