import { KEPT_MONEY, type SalesFigure, type SalesGroup, type SalesRow } from '@pegasus/contracts/orders/sales'
import { formatCount, formatFullMonth, formatMoney, formatPercent } from '@/lib/format/format.ts'
import { t } from '@/lib/i18n/messages.ts'
import { languageLocale } from '@/lib/i18n/languages.ts'

export const GROUP_LABELS: Readonly<Record<SalesGroup, string>> = {
  month: t('Month'),
  product: t('Product'),
  shop: t('Shop'),
}

export const FIGURE_LABELS: Readonly<Record<SalesFigure, string>> = {
  orders: t('Orders'),
  pieces: t('Pieces'),
  returns: t('Returns'),
  revenue: t('Revenue'),
  cost: t('Cost'),
  fees: t('Fees'),
  postage: t('Postage'),
  shipping_income: t('Shipping'),
  margin: t('Margin'),
  pieces_without_cost: t('Pieces without a cost'),
}

/** Returns the name of a product. The lines of kept money have a fixed name, which is translated. */
export const productText = (name: string): string => (name === KEPT_MONEY ? t('Kept from refunds') : name)

/** The figures that are amounts of money, from the revenue to the margin that remains of it. */
export const AMOUNT_FIGURES = [
  'revenue',
  'shipping_income',
  'cost',
  'fees',
  'postage',
  'margin',
] as const satisfies readonly SalesFigure[]

const AMOUNTS: ReadonlySet<SalesFigure> = new Set(AMOUNT_FIGURES)

const formatValue = (figure: SalesFigure, value: number): string =>
  AMOUNTS.has(figure) ? formatMoney(value) : formatCount(value)

/**
 * Formats a figure of a row. A piece of unknown cost is counted with a cost of 0. The text then says that the cost is a
 * minimum and the margin a maximum.
 */
export function formatFigure(
  figure: SalesFigure,
  row: Readonly<Partial<Record<SalesFigure, number>>>,
): string {
  const text = formatValue(figure, row[figure] ?? 0)
  if (!row.pieces_without_cost) return text
  if (figure === 'margin') return t('at most {text}', { text })
  return figure === 'cost' ? t('at least {text}', { text }) : text
}

/**
 * Formats the margin as a share of the income from customers, which is the revenue plus the shipping. The share is
 * therefore at most 100 %. Null without income, and while the cost of a piece is unknown.
 */
export const formatMarginShare = ({
  revenue,
  shipping_income: shipping,
  margin,
  pieces_without_cost: unknown,
}: Pick<SalesRow, 'revenue' | 'shipping_income' | 'margin' | 'pieces_without_cost'>): string | null =>
  revenue + shipping > 0 && unknown <= 0 ? formatPercent(margin / (revenue + shipping)) : null

const shortMonth = new Intl.DateTimeFormat(languageLocale, { month: 'short', timeZone: 'UTC' })
const shortMonthOfYear = new Intl.DateTimeFormat(languageLocale, {
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
})

/** Formats the month `2026-11` as `November 2026`. On an axis it is `Nov`, or `Jan 26` where a year begins. */
export function formatMonth(month: string, isFull: boolean): string {
  if (isFull) return formatFullMonth(month)
  const date = new Date(`${month}-01T00:00:00Z`)
  return (date.getUTCMonth() === 0 ? shortMonthOfYear : shortMonth).format(date)
}

const MONTHS_BY_DEFAULT = 12
const MOST_MONTHS = 120
/** Minimum number of months in the chart, because a chart with fewer bars looks broken. */
const LEAST_MONTHS = 4

/**
 * Returns each month of a period, including months without sales. Without a beginning, the period begins with the month of
 * the first sale, because a new shop would see mostly empty months. `today` is a day: `2026-11-24`.
 */
export function monthsOf(
  { from, to }: { from: string; to: string },
  today: string,
  firstSold?: string,
): string[] {
  const months: string[] = []
  const last = (to || today).slice(0, 7)
  const first = from.slice(0, 7)
  const date = new Date(`${last}-01T00:00:00Z`)
  while (months.length < (first ? MOST_MONTHS : MONTHS_BY_DEFAULT)) {
    const month = date.toISOString().slice(0, 7)
    if (first && month < first) break
    if (!first && firstSold && month < firstSold && months.length >= LEAST_MONTHS) break
    months.unshift(month)
    date.setUTCMonth(date.getUTCMonth() - 1)
  }
  return months
}
