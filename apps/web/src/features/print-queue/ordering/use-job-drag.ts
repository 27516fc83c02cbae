import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Target } from './queue-order.ts'

/** Distance in px from the window's edge within which a drag scrolls the page. */
const EDGE_PX = 72
const SCROLL_STEP_PX = 14

interface Drag {
  id: string
  /** The position if the job is dropped now; null if the pointer is over no row. */
  target: Target | null
}

/** Returns the job whose row is at a point of the window, and whether the point is in the row's lower half. */
function rowAt(x: number, y: number): { id: string; isLower: boolean } | null {
  const row = document.elementFromPoint(x, y)?.closest('[role=row]')
  const id = row?.querySelector<HTMLElement>('[data-grip]')?.dataset['grip']
  if (!row || !id) return null
  const { top, height } = row.getBoundingClientRect()
  return { id, isLower: y > top + height / 2 }
}

function scrollNearEdge(y: number): void {
  if (y < EDGE_PX) window.scrollBy(0, -SCROLL_STEP_PX)
  else if (y > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_STEP_PX)
}

interface JobDragOptions {
  ids: readonly string[]
  /** True if the list has further jobs that are not shown yet. */
  hasMore: boolean
  onDrop: (id: string, to: Target) => void
}

/** Lets people drag jobs by their handles with mouse, pen or finger. Escape cancels the drag. */
export function useJobDrag({ ids, hasMore, onDrop }: JobDragOptions) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const isDragging = drag !== null

  useEffect(() => {
    if (!isDragging) return
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrag(null)
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [isDragging])

  const targetAt = (x: number, y: number): Target | null => {
    const over = rowAt(x, y)
    if (!over) return null
    if (!over.isLower) return { beforeId: over.id }
    const next = ids[ids.indexOf(over.id) + 1]
    if (!next && hasMore) return null
    return { beforeId: next ?? null }
  }
  // The drag is also stored in a ref, because the pointer moves more often than React renders.
  const current = useRef<Drag | null>(null)
  useEffect(() => {
    current.current = drag
  }, [drag])

  return {
    drag,
    gripProps: (id: string) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ id, target: null })
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (current.current?.id !== id) return
        scrollNearEdge(event.clientY)
        setDrag({ id, target: targetAt(event.clientX, event.clientY) })
      },
      onPointerUp: () => {
        const dropped = current.current
        setDrag(null)
        if (dropped?.id === id && dropped.target) onDrop(id, dropped.target)
      },
      onPointerCancel: () => setDrag(null),
    }),
  }
}

export type JobDrag = ReturnType<typeof useJobDrag>
