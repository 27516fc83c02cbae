import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** A list with more rows than this renders only the visible rows. */
const MANY_ROWS = 50

const MARGIN_ROWS = 5

interface WindowedRowsProps<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Estimated height of a row, in pixels. */
  estimatedHeight: number
  /** The row to scroll to. A new object scrolls again. */
  shown?: { id: string } | null
  /** Data that the rows show. A new object can change their heights, so the list scrolls to the shown row again. */
  data?: object | undefined
  /** An element that covers the top of the scrolled area. */
  head?: RefObject<HTMLElement | null>
  className?: string
  children: (row: Row) => ReactNode
}

/** Lists rows in the scrolled area of a dialog. If there are many rows, it renders only the visible ones. */
export function WindowedRows<Row>(props: WindowedRowsProps<Row>) {
  return props.rows.length > MANY_ROWS ? <InSight {...props} /> : <All {...props} />
}

function All<Row>({ rows, keyOf, shown = null, data, head, className, children }: WindowedRowsProps<Row>) {
  const list = useRef<HTMLUListElement>(null)
  const [covered, setCovered] = useState(0)
  useLayoutEffect(() => {
    const element = head?.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setCovered(element.offsetHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [head])
  useFollow(list, { shown, layout: covered, data }, ({ id }) => {
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)
    if (!row) return
    row.style.scrollMarginTop = `${head?.current?.offsetHeight ?? 0}px`
    row.scrollIntoView({ block: 'nearest' })
  })
  return (
    <ul ref={list} className={`divide-y divide-line ${className ?? ''}`}>
      {rows.map((row) => (
        <li key={keyOf(row)} data-row={keyOf(row)}>
          {children(row)}
        </li>
      ))}
    </ul>
  )
}

interface Followed {
  shown: { id: string } | null
  /** Changes if the content above the rows, or what covers them, becomes higher or lower. */
  layout: unknown
  data: object | undefined
}

/**
 * Scrolls to the shown row, and again when something else moves it, such as a message above the list. Once the person
 * has scrolled the list or pressed something in it, it scrolls only to the next shown row.
 */
function useFollow(
  list: RefObject<HTMLElement | null>,
  { shown, layout, data }: Followed,
  scrollTo: (shown: { id: string }) => void,
): void {
  const leftRow = useRef<{ id: string } | null>(null)
  useEffect(() => {
    const scroller = scrollerOf(list.current)
    const leave = () => {
      leftRow.current = shown
    }
    // A press on the scroller itself is a press on its scrollbar. The scroller also contains the field for codes, but a
    // press there does not stop the scrolling to shown rows.
    const leaveByPress = ({ target }: PointerEvent) => {
      if (target === scroller || list.current?.contains(target as Node)) leave()
    }
    scroller?.addEventListener('wheel', leave, { passive: true })
    scroller?.addEventListener('pointerdown', leaveByPress)
    return () => {
      scroller?.removeEventListener('wheel', leave)
      scroller?.removeEventListener('pointerdown', leaveByPress)
    }
  }, [list, shown])
  useEffect(() => {
    if (shown && leftRow.current !== shown) scrollTo(shown)
    // Other dependencies are left out, because the list must not scroll when pieces are counted by hand.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [shown, layout, data])
}

function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  const parent = element?.parentElement ?? null
  return parent && !/auto|scroll/.test(getComputedStyle(parent).overflowY) ? scrollerOf(parent) : parent
}

function InSight<Row>(props: WindowedRowsProps<Row>) {
  const { rows, keyOf, estimatedHeight, shown = null, data, head, className, children } = props
  const list = useRef<HTMLDivElement>(null)
  const [area, setArea] = useState<{ scroller: HTMLElement | null; top: number; covered: number }>({
    scroller: null,
    top: 0,
    covered: 0,
  })
  useLayoutEffect(() => {
    const element = list.current
    const scroller = scrollerOf(element)
    if (!element || !scroller) return undefined
    const measure = () => {
      const top = Math.round(
        element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop,
      )
      const covered = head?.current?.offsetHeight ?? 0
      setArea((last) =>
        last.scroller === scroller && last.top === top && last.covered === covered
          ? last
          : { scroller, top, covered },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    if (element.parentElement) observer.observe(element.parentElement)
    if (head?.current) observer.observe(head.current)
    return () => observer.disconnect()
  }, [head])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => area.scroller,
    estimateSize: () => estimatedHeight,
    overscan: MARGIN_ROWS,
    scrollMargin: area.top,
    scrollPaddingStart: area.covered,
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : keyOf(row)
    },
  })
  useFollow(list, { shown, layout: area, data }, ({ id }) => {
    const index = rows.findIndex((row) => keyOf(row) === id)
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
  })
  return (
    <div ref={list} role="list" className={className}>
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${start - area.top}px)` }}
            >
              {children(row)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
