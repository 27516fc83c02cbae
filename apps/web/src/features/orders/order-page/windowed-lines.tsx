import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { VirtualRows } from '@/components/virtual-rows.tsx'
import { useElementBox } from '@/lib/browser/use-element-box.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Number of rows that a card of an order shows at first. */
const FIRST_ROWS = 50

interface WindowedLinesProps<Row> {
  rows: readonly Row[]
  /** The number of lines that the button names. Parts of sets are rows, but not lines. */
  total?: number
  label: string
  /** Returns the text of the button that shows all lines. */
  allText?: (total: number) => string
  /** Estimated height of a row, in pixels. */
  estimatedHeight: number
  keyOf: (row: Row) => string
  children: (row: Row) => ReactNode
}

const allLinesText = (total: number): string =>
  t('Show all {total, plural, one {# line} other {# lines}}', { total })

/**
 * Lists the lines of an order. If there are many, it shows the first ones until a person asks for all. Then only the
 * rows near the window are rendered.
 */
export function WindowedLines<Row>(props: WindowedLinesProps<Row>) {
  const { rows, total = rows.length, label, allText = allLinesText, keyOf, children } = props
  const [isAll, setIsAll] = useState(false)
  const isLong = rows.length > FIRST_ROWS
  if (isLong && isAll) return <AllLines {...props} />
  return (
    <>
      <ul aria-label={label} className="divide-y divide-line">
        {(isLong ? rows.slice(0, FIRST_ROWS) : rows).map((row) => (
          <li key={keyOf(row)}>{children(row)}</li>
        ))}
      </ul>
      {isLong ? (
        <div className="border-t border-line p-3">
          <Button className="w-full" onClick={() => setIsAll(true)}>
            {allText(total)}
          </Button>
        </div>
      ) : null}
    </>
  )
}

function AllLines<Row>({ rows, label, estimatedHeight, keyOf, children }: WindowedLinesProps<Row>) {
  const [ref, box] = useElementBox<HTMLDivElement>()
  const around = useRef<HTMLDivElement>(null)
  // The button that had the focus no longer exists, so focus the list.
  useEffect(() => around.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={around} tabIndex={-1} className="outline-none">
      <div ref={ref} role="list" aria-label={label}>
        <VirtualRows
          rowCount={box.width === 0 ? 0 : rows.length}
          estimatedHeight={estimatedHeight}
          pageTop={box.pageTop}
          layoutKey={box.isPhone ? 'phone' : 'table'}
          keyOf={(index) => {
            const row = rows[index]
            return row === undefined ? undefined : keyOf(row)
          }}
          hasMore={false}
          onMore={() => {}}
        >
          {(index) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <div
                role="listitem"
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                className={index > 0 ? 'border-t border-line' : undefined}
              >
                {children(row)}
              </div>
            )
          }}
        </VirtualRows>
      </div>
    </div>
  )
}
