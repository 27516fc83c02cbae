import { useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { cx } from '../../lib/class-names.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Distance in pixels that a finger must pull before releasing it refreshes the page. */
const ENOUGH_PX = 72
/** The indicator moves by this fraction of the finger's distance, so that the pull feels elastic. */
const ELASTICITY = 0.5

/**
 * Elements in which pulling does something else: dialogs, the 3D viewer, and areas that scroll by themselves.
 */
const OTHERS = '[role=dialog], canvas, input, textarea, select, .overflow-y-auto'

/**
 * Refreshes the data of the page when a finger pulls the top of the page down. This replaces the browser's
 * own gesture, which would reload the whole app and lose typed text.
 */
export function PullToRefresh() {
  const client = useQueryClient()
  const [pulledPx, setPulledPx] = useState(0)
  const [isRefreshing, setIsRefreshing] = useState(false)
  const refresh = useEffectEvent(async () => {
    setIsRefreshing(true)
    // Failures are not handled here, because each failed query shows its own message.
    await client.refetchQueries({ type: 'active' })
    setIsRefreshing(false)
  })
  useEffect(() => {
    let startY: number | null = null
    let pulled = 0
    const move = (next: number) => {
      pulled = next
      setPulledPx(next)
    }
    const handleStart = ({ touches, target }: TouchEvent) => {
      const [touch] = touches
      const isElsewhere = target instanceof Element && target.closest(OTHERS) !== null
      startY = touch && touches.length === 1 && window.scrollY <= 0 && !isElsewhere ? touch.clientY : null
    }
    const handleMove = ({ touches }: TouchEvent) => {
      const [touch] = touches
      if (startY === null || !touch) return
      if (touches.length > 1 || window.scrollY > 0) startY = null
      move(startY === null ? 0 : Math.max(0, touch.clientY - startY))
    }
    const handleEnd = () => {
      if (startY !== null && pulled >= ENOUGH_PX) void refresh()
      startY = null
      move(0)
    }
    const options = { passive: true }
    addEventListener('touchstart', handleStart, options)
    addEventListener('touchmove', handleMove, options)
    addEventListener('touchend', handleEnd, options)
    addEventListener('touchcancel', handleEnd, options)
    return () => {
      removeEventListener('touchstart', handleStart)
      removeEventListener('touchmove', handleMove)
      removeEventListener('touchend', handleEnd)
      removeEventListener('touchcancel', handleEnd)
    }
  }, [])
  const isEnough = pulledPx >= ENOUGH_PX
  const shownPx = isRefreshing ? 48 : Math.min(pulledPx * ELASTICITY, 64)
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-14 z-10 flex justify-center">
      {shownPx > 8 ? (
        <span
          className="flex h-8 items-center gap-2 rounded-full border border-line-2 bg-surface px-3 text-label text-ink-2 shadow-float"
          style={{ transform: `translateY(${shownPx - 32}px)` }}
        >
          <RefreshCw
            size={14}
            strokeWidth={1.75}
            className={cx(isRefreshing && 'motion-safe:animate-spin')}
            aria-hidden
          />
          {isRefreshing ? t('Refreshing…') : isEnough ? t('Let go to refresh') : t('Pull to refresh')}
        </span>
      ) : null}
    </div>
  )
}
