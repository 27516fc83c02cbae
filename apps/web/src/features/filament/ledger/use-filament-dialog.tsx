import { lengthToGrams, type Spool } from '@pegasus/contracts/filament/spools'
import { useSpool, useSpoolBody } from '@pegasus/contracts/filament/ledger'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Checkbox } from '@/components/ui/forms/checkbox.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { SegmentedControl } from '@/components/ui/forms/segmented-control.tsx'
import { callApi } from '@/lib/http/api.ts'
import { formatGrams } from '@/lib/format/format.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { AfterLine } from './amount-preview.tsx'
import { useBooking } from './use-book-entry.ts'

// The contract's name begins like a hook's.
const bodySchema = useSpoolBody
const endpoint = useSpool

const FIELDS = ['grams', 'length_mm', 'reason'] as const
const MM_PER_METRE = 1000

interface UseDialogProps {
  spool: Spool
  onClose: () => void
}

/** Filament that is gone: by weight, or by length as slicers tell it. */
export function UseDialog({ spool, onClose }: UseDialogProps) {
  const [unit, setUnit] = useState<'grams' | 'metres'>('grams')
  const [amount, setAmount] = useState('')
  const [isWaste, setIsWaste] = useState(false)
  const [reason, setReason] = useState('')
  const booking = useBooking({
    fields: FIELDS,
    schema: bodySchema,
    send: (body, headers) => callApi(endpoint, { params: { id: spool.id }, body, headers }),
    onClose,
  })
  const number = typedNumber(amount)
  const isMetres = unit === 'metres'
  const lengthMm = number === null ? null : number * MM_PER_METRE
  const grams = isMetres && lengthMm !== null ? lengthToGrams(lengthMm, spool) : number
  const isKnown = grams !== null && Number.isFinite(grams) && grams > 0
  const error = booking.errors.grams ?? booking.errors.length_mm
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Use filament"
      size="sm"
      error={booking.failure}
      hasChanges={amount.trim() !== '' || reason.trim() !== ''}
      onSubmit={() =>
        void booking.book({
          // An empty field is no number, which the rule's own sentence says.
          ...(isMetres ? { length_mm: lengthMm ?? Number.NaN } : { grams: number ?? Number.NaN }),
          kind: isWaste ? 'waste' : 'use',
          reason,
        })
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={booking.isPending}>
            Use {isKnown ? formatGrams(grams) : null}
          </Button>
        </>
      }
    >
      <AfterLine
        spool={spool}
        afterGrams={isKnown ? spool.remaining_grams - grams : null}
        warning={
          isKnown && grams > spool.remaining_grams
            ? `More than the ${formatGrams(spool.remaining_grams)} that are left: the spool will be empty.`
            : null
        }
      />
      <div className="flex flex-col gap-4">
        <div className="flex items-start gap-3">
          <Field
            label="Amount"
            isRequired
            error={error}
            hint={isMetres && isKnown ? `≈ ${formatGrams(grams)}` : undefined}
            className="flex-1"
          >
            <Input
              value={amount}
              inputMode="decimal"
              autoComplete="off"
              autoFocus
              unit={isMetres ? 'm' : 'g'}
              onChange={(event) => {
                setAmount(event.target.value)
                booking.clear('grams')
                booking.clear('length_mm')
              }}
            />
          </Field>
          <SegmentedControl
            label="Measured in"
            value={unit}
            options={[
              { value: 'grams', label: 'Grams' },
              { value: 'metres', label: 'Length' },
            ]}
            onChange={setUnit}
            className="mt-[23px]"
          />
        </div>
        <Field label="Reason" error={booking.errors.reason}>
          <Input
            value={reason}
            maxLength={500}
            dir="auto"
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <Checkbox
          label="Wasted, not printed"
          checked={isWaste}
          onChange={(event) => setIsWaste(event.target.checked)}
        />
      </div>
    </Dialog>
  )
}
