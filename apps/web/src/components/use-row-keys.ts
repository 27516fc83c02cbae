import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { isForPage, shortcutKey } from '@/lib/browser/use-shortcuts.ts'

const LISTS = '[data-row-keys]'
/** Height in pixels at the top of the window that is covered by the app's header. */
const HEADER_PX = 100
/** Maximum number of frames to wait until a row is drawn after scrolling to it. */
const MAX_FRAMES = 20

/**
 * The row that was opened last, and the name of its list. When the person returns to the list, this row gets the focus.
 */
let opened: { list: string; id: string } | null = null

interface RowKeysOptions {
  /** Name of the list. It identifies the list when the person returns to it. */
  list: string
  ids: readonly string[]
  /** Returns the position of a row on the page, in pixels. Before the row is drawn, this is an estimate. */
  topOf: (index: number) => number
  /** The attribute with the index of a row: `data-index`, or `data-card` in a grid of cards. */
  indexAttribute?: 'data-index' | 'data-card'
}

const targetIn = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('a[href]') ?? row.querySelector<HTMLElement>('button, input')

/**
 * Returns the button that edits the row, which has `data-edit`. If the row has none, returns the row's link,
 * which opens a page with that button.
 */
const editIn = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('button[data-edit]') ?? row.querySelector<HTMLElement>('a[href]')

function focusRow(row: Element): void {
  targetIn(row)?.focus({ preventScroll: true })
  const { top, bottom } = row.getBoundingClientRect()
  if (top < HEADER_PX) window.scrollBy(0, top - HEADER_PX)
  else if (bottom > window.innerHeight - HEADER_PX)
    window.scrollBy(0, bottom - window.innerHeight + HEADER_PX)
}

/** Returns whether no control has the focus, so that the focus may be moved. */
const isNowhere = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === 'content'

/**
 * Handles the keys of a list. J and K move from row to row, and so do the arrows once a row has the focus.
 * Enter opens the row, X ticks it, and E edits it. When the person returns from a row's page, that row gets
 * the focus. Returns a ref for the element around the rows.
 */
export function useRowKeys({ list, ids, topOf, indexAttribute = 'data-index' }: RowKeysOptions) {
  const element = useRef<HTMLElement | null>(null)
  const anyRow = `[${indexAttribute}]`
  const indexOf = (row: Element | null | undefined) => Number(row?.getAttribute(indexAttribute) ?? -1)
  const rowAt = (index: number) => element.current?.querySelector(`[${indexAttribute}="${index}"]`)
  const rowWithFocus = () => {
    const row = document.activeElement?.closest(anyRow)
    return row && element.current?.contains(row) ? row : null
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!element.current || !isForPage(event)) return
    const row = rowWithFocus()
    // If no row has the focus, the keys apply to the first list of the page.
    if (!row && document.querySelector(LISTS) !== element.current) return
    const pressed = shortcutKey(event)
    const key = pressed.toLowerCase()
    const tick = key === 'x' ? row?.querySelector<HTMLElement>('input[type=checkbox]') : null
    if (tick) {
      event.preventDefault()
      // Pass Shift on, because a click with Shift ticks all rows from the last ticked one.
      tick.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: event.shiftKey }),
      )
      return
    }
    const edit = key === 'e' ? row && editIn(row) : null
    if (edit) {
      event.preventDefault()
      return edit.click()
    }
    const isDown = pressed === 'j' || (row !== null && event.key === 'ArrowDown')
    const isUp = pressed === 'k' || (row !== null && event.key === 'ArrowUp')
    if (!isDown && !isUp) return
    event.preventDefault()
    const visible = [...element.current.querySelectorAll(anyRow)].find(
      (each) => each.getBoundingClientRect().top >= HEADER_PX - 8,
    )
    const next = row ? rowAt(indexOf(row) + (isDown ? 1 : -1)) : visible
    if (next) focusRow(next)
  })

  const returnToRow = useEffectEvent(() => {
    const index = opened?.list === list ? ids.indexOf(opened.id) : -1
    if (index < 0 || !isNowhere()) {
      opened = null
      return undefined
    }
    let frame = 0
    let handle = 0
    const seek = () => {
      const row = rowAt(index)
      frame += 1
      if (!row && frame < MAX_FRAMES) {
        window.scrollTo(0, Math.max(0, topOf(index) - window.innerHeight / 2))
        handle = requestAnimationFrame(seek)
      } else opened = null
      if (row && isNowhere()) focusRow(row)
    }
    handle = requestAnimationFrame(seek)
    return () => cancelAnimationFrame(handle)
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
  const hasRows = ids.length > 0
  useEffect(() => (hasRows ? returnToRow() : undefined), [hasRows])

  return {
    ref: useCallback((found: HTMLElement | null) => {
      element.current = found
    }, []),
    /** Properties for the element that has the ref. */
    props: {
      'data-row-keys': '',
      onClick: ({ target }: { target: EventTarget }) => {
        const link = target instanceof Element ? target.closest('a[href]') : null
        const id = ids[indexOf(link?.closest(anyRow))]
        if (id !== undefined) opened = { list, id }
      },
    },
  }
}
