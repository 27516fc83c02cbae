import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import { ClipboardCheck, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { StockGauge } from '@/components/ui/charts/stock-gauge.tsx'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { formatCount } from '@/lib/format/format.ts'
import { AmountForm } from './amount-form.tsx'
import { changeStock, countItem } from './scan-mutations.ts'
import type { Scan } from './use-scan.ts'
import { t } from '@/lib/i18n/messages.ts'

const STEP = 'h-16! w-16 px-0!'

/** The stock actions of an item: remove, add, or count pieces. */
export function ItemActions({ item, scan }: { item: ScannedOf<'item'>; scan: Scan }) {
  const { facts, actions } = item
  const [pieces, setPieces] = useState('1')
  const [isCounting, setIsCounting] = useState(false)
  const amount = Math.max(1, Math.trunc(typedNumber(pieces) ?? 1) || 1)
  const mayChange = actions.includes('put')
  const change = (delta: number) => void scan.act(() => changeStock(item, delta))
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        {mayChange ? (
          <Button
            className={STEP}
            aria-label={t('Take {amount}', { amount: formatCount(amount) })}
            disabled={scan.isBusy || !actions.includes('take')}
            onClick={() => change(-amount)}
          >
            <Minus size={20} strokeWidth={1.75} aria-hidden />
          </Button>
        ) : null}
        <p className="flex-1 text-center">
          <strong className="block text-[3rem] leading-12 font-semibold tabular-nums">
            {formatCount(facts.quantity)}
          </strong>
          <span className="text-label text-ink-3">
            {facts.reserved_quantity > 0
              ? t('in stock · {reserved_quantity} reserved', {
                  reserved_quantity: formatCount(facts.reserved_quantity),
                })
              : t('in stock')}
          </span>
        </p>
        {mayChange ? (
          <Button
            className={STEP}
            aria-label={t('Add {amount}', { amount: formatCount(amount) })}
            disabled={scan.isBusy}
            onClick={() => change(amount)}
          >
            <Plus size={20} strokeWidth={1.75} aria-hidden />
          </Button>
        ) : null}
      </div>
      <div>
        <StockGauge stock={facts} />
        <p className="mt-1 flex items-center justify-between gap-2 text-label text-ink-3">
          <StatusBadge status={facts.status} />
          <span>
            {t('reorder {reorder_point} · max {max_stock}', {
              reorder_point: formatCount(facts.reorder_point),
              max_stock: formatCount(facts.max_stock),
            })}
          </span>
        </p>
      </div>
      {mayChange ? (
        <div className="flex items-center gap-2">
          <label className="flex flex-1 items-center gap-2 text-label font-medium">
            {t('Pieces at a time')}
            <Input
              className="w-24"
              value={pieces}
              inputMode="numeric"
              onChange={(event) => setPieces(event.target.value)}
            />
          </label>
          <Button
            icon={<ClipboardCheck size={16} strokeWidth={1.75} aria-hidden />}
            aria-expanded={isCounting}
            onClick={() => setIsCounting(!isCounting)}
          >
            {t('Count')}
          </Button>
        </div>
      ) : null}
      {isCounting ? (
        <AmountForm
          label={t('Counted')}
          unit={t('pcs')}
          verb={t('Save count')}
          isWhole
          min={0}
          isBusy={scan.isBusy}
          onSubmit={(quantity) =>
            void scan.act(() => countItem(item, quantity)).then(() => setIsCounting(false))
          }
        />
      ) : null}
    </>
  )
}
