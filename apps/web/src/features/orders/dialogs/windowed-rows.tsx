import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** A list with more rows than this renders only the visible rows. */
const MANY_ROWS = 50

const MARGIN_ROWS = 5

const KEYS_THAT_MOVE = new Set(['ArrowDown', 'ArrowUp', 'End', 'Home', 'PageDown', 'PageUp', 'Tab'])

interface WindowedRowsProps<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Estimated height of a row, in pixels. */
  estimatedHeight: number
  /** The row to scroll to. A new object scrolls again. */
  shown?: { id: string } | null
  /** An element that covers the top of the scrolled area. */
  head?: RefObject<HTMLElement | null>
  className?: string
  children: (row: Row) => ReactNode
}

/** Lists rows in the scrolled area of a dialog. If there are many rows, it renders only the visible ones. */
export function WindowedRows<Row>(props: WindowedRowsProps<Row>) {
  return props.rows.length > MANY_ROWS ? <InSight {...props} /> : <All {...props} />
}

function All<Row>({ rows, keyOf, shown = null, head, className, children }: WindowedRowsProps<Row>) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (!shown) return
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${shown.id}"]`)
    if (!row) return
    row.style.scrollMarginTop = `${head?.current?.offsetHeight ?? 0}px`
    row.scrollIntoView({ block: 'nearest' })
  }, [shown, head])
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

function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  const parent = element?.parentElement ?? null
  return parent && !/auto|scroll/.test(getComputedStyle(parent).overflowY) ? scrollerOf(parent) : parent
}

function InSight<Row>(props: WindowedRowsProps<Row>) {
  const { rows, keyOf, estimatedHeight, shown = null, head, className, children } = props
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
  const height = virtualizer.getTotalSize()
  /** The shown row from which the person has moved away. */
  const leftRow = useRef<{ id: string } | null>(null)
  const { scroller } = area
  useEffect(() => {
    const leave = () => {
      leftRow.current = shown
    }
    const leaveByKey = ({ key }: KeyboardEvent) => {
      if (KEYS_THAT_MOVE.has(key)) leave()
    }
    scroller?.addEventListener('wheel', leave, { passive: true })
    scroller?.addEventListener('pointerdown', leave)
    scroller?.addEventListener('keydown', leaveByKey)
    return () => {
      scroller?.removeEventListener('wheel', leave)
      scroller?.removeEventListener('pointerdown', leave)
      scroller?.removeEventListener('keydown', leaveByKey)
    }
  }, [scroller, shown])
  useEffect(() => {
    if (leftRow.current === shown) return
    const index = shown ? rows.findIndex((row) => keyOf(row) === shown.id) : -1
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' })
    // The row stays in view if the content above it or the rows change their height, for example because a message
    // appears or the locations arrive. Nothing scrolls any more after the person has moved away from the row.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [shown, area, height])
  return (
    <div ref={list} role="list" className={className}>
      <div role="presentation" className="relative" style={{ height }}>
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
