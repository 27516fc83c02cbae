import { TriangleAlert } from 'lucide-react'
import { ChartCard } from '@/components/ui/charts/chart-card.tsx'
import { formatGrams, formatKg } from '@/lib/format/format.ts'
import { CHARTS_HEIGHT } from './charts-skeleton.tsx'
import { fullScaleGrams, type MaterialBalance, missingGrams, pickMaterials } from './filament-rows.ts'
import { t } from '@/lib/i18n/messages.ts'

const ROOM = 5

const nameOf = ({ material }: MaterialBalance): string => material ?? t('Any material')

/** Charts the remaining filament by material, with a tick at the amount that the queue needs. */
export function FilamentChart({ filament }: { filament: readonly MaterialBalance[] }) {
  const materials = pickMaterials(filament, ROOM)
  const full = fullScaleGrams(filament)
  const total = filament.reduce((sum, { remaining_grams }) => sum + remaining_grams, 0)
  return (
    <ChartCard
      title={t('Filament left by material')}
      aside={formatKg(total)}
      height={CHARTS_HEIGHT}
      table={() => ({
        head: [t('Material'), t('Left'), t('Needed'), t('Spools')],
        rows: filament.map((balance) => [
          nameOf(balance),
          formatGrams(balance.remaining_grams),
          formatGrams(balance.needed_grams),
          String(balance.spools),
        ]),
      })}
    >
      <div className="flex flex-col" style={{ height: CHARTS_HEIGHT }}>
        {materials.length === 0 ? (
          <p className="m-auto text-label text-ink-3">{t('No spools yet')}</p>
        ) : (
          <>
            <ul className="min-h-0 flex-1 overflow-hidden">
              {materials.map((balance) => (
                <MaterialRow key={nameOf(balance)} balance={balance} full={full} />
              ))}
            </ul>
            <p className="flex items-center gap-2 text-caption text-ink-3">
              <i className="h-3 w-0.5 bg-ink" aria-hidden />
              {t('needed by the queue')}
              {filament.length > materials.length ? (
                <span className="ms-auto">
                  {t('{filament} more in the table', { filament: filament.length - materials.length })}
                </span>
              ) : null}
            </p>
          </>
        )}
      </div>
    </ChartCard>
  )
}

function MaterialRow({ balance, full }: { balance: MaterialBalance; full: number }) {
  const missing = missingGrams(balance)
  const percent = (grams: number) => `${Math.min(100, (grams / full) * 100)}%`
  return (
    <li className="grid min-h-[26px] grid-cols-[84px_minmax(0,1fr)_56px] items-center gap-x-2.5">
      <bdi className="truncate font-medium" title={nameOf(balance)}>
        {nameOf(balance)}
      </bdi>
      <span className="relative h-2 rounded-[2px] bg-line" aria-hidden>
        <i
          className="absolute inset-y-0 start-0 min-w-0.5 rounded-[2px] bg-data"
          style={{ width: percent(balance.remaining_grams) }}
        />
        {balance.needed_grams > 0 ? (
          <i
            className="absolute -inset-y-[3px] -ms-px w-0.5 bg-ink shadow-[0_0_0_1px_var(--surface)]"
            style={{ insetInlineStart: percent(balance.needed_grams) }}
          />
        ) : null}
      </span>
      <span className="text-end whitespace-nowrap">
        {formatKg(balance.remaining_grams)}
        <span className="sr-only">
          {', '}
          {t('the queue needs {needed_grams}', { needed_grams: formatKg(balance.needed_grams) })}
        </span>
      </span>
      {missing > 0 ? (
        <span className="col-span-2 col-start-2 -mt-0.5 mb-0.5 flex items-center gap-1.5 text-caption font-medium text-yellow-ink">
          <TriangleAlert size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />
          {t('{missing} short', { missing: missing < 1000 ? formatGrams(missing) : formatKg(missing) })}
        </span>
      ) : null}
    </li>
  )
}
