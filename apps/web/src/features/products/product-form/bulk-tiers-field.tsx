import { MAX_BULK_TIERS } from '@pegasus/contracts/products/product-rules'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { NumberInput } from '@/components/ui/forms/number-input.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { wireToTyped } from '@/lib/forms/typed-number.ts'
import { useConfig } from '@/lib/http/config.ts'
import { jsonOf, rowsOf, type TierRow, tiersProblem } from './bulk-tier-rows.ts'
import { t } from '@/lib/i18n/messages.ts'

const QUANTITY = { min: 1, step: 1, placeholder: '10', unit: t('pcs'), className: 'flex-1' } as const
const PRICE = { min: 0, step: 0.01, placeholder: wireToTyped('0.00'), className: 'flex-1' } as const

interface BulkTiersFieldProps {
  /** The JSON text. */
  value: string
  error: string | undefined
  onChange: (json: string) => void
}

/** A field for bulk tiers as JSON, with a small table that writes the JSON. */
export function BulkTiersField({ value, error, onChange }: BulkTiersFieldProps) {
  const currency = useConfig()?.currency ?? 'USD'
  // Errors are shown only after the field is left, because an incomplete list is invalid at almost every keystroke.
  const [isLeft, setIsLeft] = useState(value !== '')
  const rows = rowsOf(value)
  const write = (next: readonly TierRow[]) => onChange(jsonOf(next))
  const edit = (at: number, part: Partial<TierRow>) =>
    write((rows ?? []).map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <div className="col-span-6 grid grid-cols-2 items-start gap-4 phone:grid-cols-1">
      <fieldset className="min-w-0">
        <legend className="mb-[5px] text-label font-medium text-ink">{t('Quantity discounts')}</legend>
        {rows === null ? (
          <p className="rounded-control bg-sunken px-3 py-2.5 text-label text-ink-2">
            {t('The table appears again once the JSON is a valid list.')}
          </p>
        ) : (
          <div className="flex flex-col gap-2">
            {rows.map((row, at) => (
              // Rows are identified only by their position.
              <div key={at} className="flex items-center gap-2">
                <NumberInput
                  {...QUANTITY}
                  value={row.quantity}
                  onChange={(quantity) => edit(at, { quantity })}
                  aria-label={t('Quantity of tier {at}', { at: at + 1 })}
                />
                <NumberInput
                  {...PRICE}
                  value={row.price}
                  onChange={(price) => edit(at, { price })}
                  aria-label={t('Price of tier {at}', { at: at + 1 })}
                  unit={currency}
                />
                <IconButton
                  size="sm"
                  label={t('Remove tier {at}', { at: at + 1 })}
                  onClick={() => write(rows.filter((_, index) => index !== at))}
                >
                  <X size={14} strokeWidth={1.75} aria-hidden />
                </IconButton>
              </div>
            ))}
            {rows.length < MAX_BULK_TIERS ? (
              <div>
                <Button
                  size="sm"
                  icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
                  onClick={() => write([...rows, { quantity: '', price: '' }])}
                >
                  {t('Add tier')}
                </Button>
              </div>
            ) : null}
          </div>
        )}
      </fieldset>
      <Field
        label={t('Bulk tiers (JSON)')}
        error={error ?? (isLeft ? tiersProblem(value) : null)}
        hint={t('The table fills this in. You can also type or paste it.')}
      >
        <Textarea
          name="bulkTiers"
          rows={4}
          value={value}
          placeholder='[{"quantity": 10, "price": 14.99}]'
          spellCheck={false}
          autoCapitalize="none"
          className="font-mono text-label"
          onBlur={() => setIsLeft(true)}
          onChange={(event) => {
            setIsLeft(false)
            onChange(event.target.value)
          }}
        />
      </Field>
    </div>
  )
}
