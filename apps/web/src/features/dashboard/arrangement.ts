import { readStrings, useStoredValue } from '@/lib/browser/use-stored-value.ts'

/**
 * The cards of the dashboard, which each person can arrange. On a phone, the totals are a separate card.
 */
export const DASHBOARD_CARDS = ['today', 'figures', 'orders', 'queue', 'totals', 'charts'] as const
export type DashboardCard = (typeof DASHBOARD_CARDS)[number]

const DESKTOP: readonly DashboardCard[] = ['today', 'figures', 'orders', 'queue', 'charts']
/** The cards on a phone. People use phones at the bench, where running prints matter more than sales. */
const PHONE: readonly DashboardCard[] = ['today', 'figures', 'queue', 'orders', 'totals', 'charts']

interface Arrangement {
  /** Ids of the cards in the person's order; empty until the person moves a card. */
  order: readonly string[]
  hidden: readonly string[]
}

const readArrangement = (stored: unknown): Arrangement => {
  const { order, hidden } = (stored ?? {}) as Partial<Arrangement>
  return { order: readStrings(order), hidden: readStrings(hidden) }
}

/** Returns all cards of a screen size in the person's order. Cards that the person has never seen come last. */
export function orderCards(order: readonly string[], isPhone: boolean): DashboardCard[] {
  const usual = isPhone ? PHONE : DESKTOP
  const chosen = order.flatMap((id) => usual.filter((card) => card === id))
  return [...new Set([...chosen, ...usual])]
}

/**
 * Returns the list with the card moved by one place. A card at either end of the list does not move beyond
 * it.
 */
export function moveCard(cards: readonly DashboardCard[], card: DashboardCard, by: -1 | 1): DashboardCard[] {
  const from = cards.indexOf(card)
  const to = from + by
  if (from < 0 || to < 0 || to >= cards.length) return [...cards]
  return cards.toSpliced(from, 1).toSpliced(to, 0, card)
}

const HALVES: readonly DashboardCard[] = ['orders', 'queue']

/** Puts two neighboring cards of half the width side by side. */
export function rowsOfCards(cards: readonly DashboardCard[]): (readonly DashboardCard[])[] {
  const rows: DashboardCard[][] = []
  for (const card of cards) {
    const last = rows.at(-1)
    const isPair = last?.length === 1 && last.every((each) => HALVES.includes(each)) && HALVES.includes(card)
    if (isPair) last.push(card)
    else rows.push([card])
  }
  return rows
}

/** The person's arrangement of the dashboard, which the browser keeps for each account. */
export function useArrangement(accountId: string, isPhone: boolean) {
  const [{ order, hidden }, change] = useStoredValue(`pegasus-dashboard:${accountId}`, readArrangement)
  const cards = orderCards(order, isPhone)
  return {
    cards,
    shown: cards.filter((card) => !hidden.includes(card)),
    isUsual: order.length === 0 && hidden.length === 0,
    move: (card: DashboardCard, by: -1 | 1) =>
      change((now) => ({ ...now, order: moveCard(cards, card, by) })),
    toggle: (card: DashboardCard) =>
      change((now) => ({
        ...now,
        hidden: now.hidden.includes(card)
          ? now.hidden.filter((each) => each !== card)
          : [...now.hidden, card],
      })),
    reset: () => change(() => ({ order: [], hidden: [] })),
  }
}
