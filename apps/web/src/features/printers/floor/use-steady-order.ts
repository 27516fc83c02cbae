import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { keptOrder, type ListOrder } from './kept-order.ts'

interface SteadyOrderOptions<Row> {
  /** Identifies the list. With another key, the rows are shown in the order of the server. */
  listKey: string
  /** Returns the group of a row. The rows are sorted again when a row changes its group. */
  groupOf: (row: Row) => string
}

/**
 * Returns whether the focus is in a dialog or menu, or was moved with the keyboard. Focus from a mouse click does not
 * count.
 */
const isInUse = (element: Element): boolean =>
  element.closest('dialog, [popover], [role=dialog], [role=menu]') !== null ||
  element.matches(':focus-visible')

/**
 * Keeps the order of cards that the server sorts by values that change all the time. The cards are sorted again when
 * the list opens, when one appears or leaves, and when one changes its group. While a person points at a card, or uses
 * a card or its dialog with the keyboard, the sorting waits, because the card would move away or lose the focus. The
 * data on the cards is always current. Spread `handlers` over an element around the cards.
 */
export function useSteadyOrder<Row extends { id: string }>(
  rows: readonly Row[],
  { listKey, groupOf }: SteadyOrderOptions<Row>,
) {
  const [isPointed, setIsPointed] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const lastFocused = useRef<Element | null>(null)
  const sorted: ListOrder = { listKey, groups: new Map(rows.map((row) => [row.id, groupOf(row)])) }
  const [order, setOrder] = useState(sorted)
  const next = keptOrder(order, sorted, isPointed || isFocused)
  if (next !== order) setOrder(next)

  const checkFocus = () => {
    const { activeElement } = document
    if (!activeElement || activeElement !== lastFocused.current || !isInUse(activeElement))
      setIsFocused(false)
  }
  // Some browsers report no blur if an element with the focus is removed.
  useEffect(() => {
    if (isFocused) checkFocus()
  }, [isFocused, next])

  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    items: [...next.groups.keys()].flatMap((id) => byId.get(id) ?? []),
    handlers: {
      onPointerOver: ({ target }: PointerEvent) =>
        setIsPointed(target instanceof Element && target.closest('[data-card]') !== null),
      onPointerLeave: () => setIsPointed(false),
      onFocus: ({ target }: FocusEvent) => {
        lastFocused.current = target
        setIsFocused(isInUse(target))
      },
      // The focus may move to another card or to a dialog. React passes on the events of dialogs, too.
      onBlur: () => setTimeout(checkFocus),
    },
  }
}
