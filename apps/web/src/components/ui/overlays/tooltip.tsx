import {
  cloneElement,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'

const OPEN_AFTER_MS = 400
/**
 * How long the tooltip stays open after the pointer has left the control, in ms, so that the pointer can move onto the
 * tooltip.
 */
const CLOSE_AFTER_MS = 100
const DISTANCE = 6
const MARGIN = 8

interface TooltipProps {
  /** A short text. Anything important must also be readable without the tooltip. */
  text: ReactNode
  /** One control. Its component must pass its props on to its element. */
  children: ReactElement<Record<string, unknown>>
}

/** Shows a text next to a control that has the pointer or the keyboard focus. Escape closes it. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [control, setControl] = useState<Element | null>(null)
  const after = (ms: number, next: Element | null) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setControl(next), ms)
  }
  const closeNow = () => {
    clearTimeout(timer.current)
    setControl(null)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!control) return
    const handleKey = ({ key }: KeyboardEvent) => key === 'Escape' && setControl(null)
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [control])
  return (
    <>
      {cloneElement(children, {
        ...(control && { 'aria-describedby': id }),
        onPointerEnter: (event: PointerEvent) =>
          event.pointerType !== 'touch' && after(OPEN_AFTER_MS, event.currentTarget),
        onPointerLeave: () => after(CLOSE_AFTER_MS, null),
        onPointerDown: closeNow,
        onFocus: ({ currentTarget }: { currentTarget: Element }) =>
          currentTarget.matches(':focus-visible') && setControl(currentTarget),
        onBlur: closeNow,
      })}
      {control ? (
        <Bubble
          id={id}
          control={control}
          onPointerEnter={() => clearTimeout(timer.current)}
          onPointerLeave={() => after(CLOSE_AFTER_MS, null)}
        >
          {text}
        </Bubble>
      ) : null}
    </>
  )
}

interface BubbleProps {
  id: string
  control: Element
  onPointerEnter: () => void
  onPointerLeave: () => void
  children: ReactNode
}

/** The text of the tooltip. It is above the control, or below it if there is no room. */
function Bubble({ control, ...rest }: BubbleProps) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const bubble = ref.current
    if (!bubble) return
    const { top, bottom, left, width } = control.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = bubble
    const above = top - DISTANCE - offsetHeight
    const centered = left + width / 2 - offsetWidth / 2
    bubble.style.top = `${above >= MARGIN ? above : bottom + DISTANCE}px`
    bubble.style.left = `${Math.max(MARGIN, Math.min(centered, innerWidth - offsetWidth - MARGIN))}px`
  }, [control])
  return createPortal(
    <div
      {...rest}
      ref={ref}
      role="tooltip"
      className="fixed z-50 flex animate-enter items-center gap-2 rounded-control bg-ink px-2 py-1 text-caption font-medium text-bg shadow-float"
    />,
    document.body,
  )
}
