import {
  type FilamentForecast,
  type FilamentStock,
  forecastSentence,
} from '@pegasus/contracts/filament/stock'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '@/components/ui/actions/button.tsx'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { cx } from '@/lib/class-names.ts'
import { formatGrams } from '@/lib/format/format.ts'
import { forecastQuery, stockQuery } from '../filament.queries.ts'
import { colorKey, colorLabel } from './filament-labels.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

/** Number of shown colors. If there are more, a link with their number follows. */
const SHOWN = 3

interface RunningLowProps {
  queueAddress: string
  /** Address of the stock by material and color. */
  stockAddress: string
}

/**
 * Warns about filament that must be bought: first filament that the queue will use up, then other low stock.
 * Renders nothing if nothing is low.
 */
export function RunningLow({ queueAddress, stockAddress }: RunningLowProps) {
  const isPhone = useIsPhone()
  const forecast = useQuery(forecastQuery)
  const stock = useQuery(stockQuery)
  const runningOut = (forecast.data ?? []).filter(({ runs_out_at }) => runs_out_at !== null)
  const named = new Set(runningOut.map(colorKey))
  const low = (stock.data ?? []).filter((each) => each.is_low && !named.has(colorKey(each)))
  const sentences = [
    ...runningOut.map((each) => ({
      name: forecastLabel(each),
      text: serverText(forecastSentence(each) ?? ''),
    })),
    ...low.map((each) => ({ name: colorLabel(each), text: lowSentence(each) })),
  ]
  if (sentences.length === 0) return null
  // A phone shows only the most urgent warning in one line, so that the first spool is near the top.
  const shown = isPhone ? 1 : SHOWN
  const more = sentences.length - shown
  const moreLink = (
    <Link
      to={stockAddress}
      className="whitespace-nowrap underline underline-offset-3 phone:grid phone:min-h-11 phone:place-items-center"
    >
      {t('{more} more', { more })}
    </Link>
  )
  return (
    <section
      aria-label={t('Running low')}
      className={cx(
        'mb-4 flex items-start gap-2.5 rounded-control bg-yellow-soft px-3 py-2.5 text-label text-yellow-ink phone:items-center phone:py-0',
        // The link to the other colors makes the line higher, so its margins are smaller.
        more > 0 ? 'phone:-mt-1 phone:mb-0' : 'phone:-mt-0.5 phone:mb-1',
      )}
    >
      <TriangleAlert size={16} strokeWidth={1.75} className="mt-px shrink-0" aria-hidden />
      <ul className="min-w-0 flex-1 wrap-anywhere phone:self-center">
        {sentences.slice(0, shown).map(({ name, text }) => (
          <li key={name} className="phone:truncate">
            <bdi className="font-semibold">{name}</bdi>: {text}
          </li>
        ))}
        {more > 0 && !isPhone ? <li>{moreLink}</li> : null}
      </ul>
      {more > 0 && isPhone ? moreLink : null}
      {runningOut.length > 0 && !isPhone ? (
        <Link to={queueAddress} className={buttonClass({ size: 'sm' })}>
          {t('Show jobs')}
        </Link>
      ) : null}
    </section>
  )
}

const forecastLabel = (forecast: FilamentForecast): string =>
  forecast.is_any_color ? t('{material}, any color', { material: forecast.material }) : colorLabel(forecast)

const lowSentence = ({ remaining_grams, low_stock_grams, spools }: FilamentStock): string =>
  low_stock_grams === null
    ? t('{remaining_grams} left on {spools, plural, one {# spool} other {# spools}}', {
        remaining_grams: formatGrams(remaining_grams),
        spools,
      })
    : t(
        '{remaining_grams} left on {spools, plural, one {# spool} other {# spools}}, low at {low_stock_grams}',
        {
          remaining_grams: formatGrams(remaining_grams),
          spools,
          low_stock_grams: formatGrams(low_stock_grams),
        },
      )
