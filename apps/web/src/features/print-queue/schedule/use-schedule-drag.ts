import { type PointerEvent, useEffect, useRef, useState } from 'react'

/** The position at which a dragged print would be dropped. */
export interface Drop {
  printerId: string
  /** The job before which the dragged job would be printed; null for the end. */
  beforeId: string | null
}

/** Distance in px that the pointer must move before pressing the button becomes a drag. */
const THRESHOLD_PX = 5

/**
 * Returns the printer's row at a point of the window, and the first waiting print there whose center comes after the
 * point. Time runs in the direction of the row's text.
 */
function dropAt(x: number, y: number, draggedId: string): Drop | null {
  const lane = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-lane]')
  const printerId = lane?.dataset['lane']
  if (!lane || !printerId) return null
  const isRightToLeft = getComputedStyle(lane).direction === 'rtl'
  for (const block of lane.querySelectorAll<HTMLElement>('[data-waiting]')) {
    const id = block.dataset['waiting'] ?? null
    const { left, width } = block.getBoundingClientRect()
    const center = left + width / 2
    if (id !== draggedId && (isRightToLeft ? center < x : center > x)) return { printerId, beforeId: id }
  }
  return { printerId, beforeId: null }
}

/**
 * Drags prints with mouse, pen or finger to another printer or position. Escape cancels the drag. Pressing
 * without moving is a click.
 */
export function useScheduleDrag(onDrop: (jobId: string, drop: Drop) => void) {
  const [drag, setDrag] = useState<{ jobId: string; drop: Drop | null } | null>(null)
  const start = useRef<{ jobId: string; x: number; y: number; isMoved: boolean } | null>(null)
  const isDragging = drag !== null

  useEffect(() => {
    if (!isDragging) return
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      start.current = null
      setDrag(null)
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [isDragging])

  return {
    drag,
    blockProps: (jobId: string, onPress: () => void) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { jobId, x: event.clientX, y: event.clientY, isMoved: false }
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const from = start.current
        if (from?.jobId !== jobId) return
        from.isMoved ||= Math.hypot(event.clientX - from.x, event.clientY - from.y) > THRESHOLD_PX
        if (from.isMoved) setDrag({ jobId, drop: dropAt(event.clientX, event.clientY, jobId) })
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const from = start.current
        start.current = null
        setDrag(null)
        if (from?.jobId !== jobId || !from.isMoved) return
        const drop = dropAt(event.clientX, event.clientY, jobId)
        if (drop) onDrop(jobId, drop)
        // The browser sends a click after the drag, which must have no effect.
        event.currentTarget.addEventListener('click', (click) => click.stopImmediatePropagation(), {
          capture: true,
          once: true,
        })
      },
      onPointerCancel: () => {
        start.current = null
        setDrag(null)
      },
      onClick: onPress,
    }),
  }
}
