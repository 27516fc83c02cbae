import type { ScannedOf } from '@pegasus/contracts/labels/scan'
import { useState } from 'react'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { RemainingRing } from '@/components/ui/charts/remaining-ring.tsx'
import { formatGrams } from '@/lib/format/format.ts'
import { AmountForm } from './amount-form.tsx'
import { takeGrams, weigh } from './scan-mutations.ts'
import type { Scan } from './use-scan.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The actions of a spool: use a number of grams, or enter the weight on the scale. */
export function SpoolActions({ spool, scan }: { spool: ScannedOf<'spool'>; scan: Scan }) {
  const { facts, actions } = spool
  const [empty, setEmpty] = useState('')
  const share = facts.weight_grams > 0 ? facts.remaining_grams / facts.weight_grams : 0
  const knowsEmpty = facts.spool_weight_grams !== null
  const emptyGrams = knowsEmpty ? null : typedNumber(empty)
  return (
    <>
      <div className="flex items-center gap-4">
        <RemainingRing
          share={share}
          colorHex={spool.color_hex}
          isLow={facts.status === 'low'}
          className="size-24 shrink-0"
        />
        <p>
          <strong className="block text-figure font-[580]">{formatGrams(facts.remaining_grams)}</strong>
          <span className="text-label text-ink-3">
            {t('of {weight_grams} left', { weight_grams: formatGrams(facts.weight_grams) })}
          </span>
        </p>
      </div>
      {actions.includes('use') ? (
        <AmountForm
          label={t('Used')}
          unit="g"
          verb={t('Use')}
          min={0.01}
          isBusy={scan.isBusy}
          onSubmit={(grams) => void scan.act(() => takeGrams(spool, grams))}
        />
      ) : null}
      {actions.includes('weigh') ? (
        <>
          {knowsEmpty ? null : (
            <Field
              label={t('Empty spool')}
              hint={t('Weight of the roll without filament. You enter it only once.')}
            >
              <Input
                value={empty}
                unit="g"
                inputMode="decimal"
                onChange={(event) => setEmpty(event.target.value)}
              />
            </Field>
          )}
          <AmountForm
            label={t('Weight on the scale')}
            unit="g"
            verb={t('Weigh')}
            min={0}
            isBusy={scan.isBusy}
            onSubmit={(gross) => void scan.act(() => weigh(spool, gross, emptyGrams))}
          />
        </>
      ) : null}
    </>
  )
}
