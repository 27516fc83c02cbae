import type { Spool } from '@pegasus/contracts/filament/spools'
import { weighSpool, weighSpoolBody } from '@pegasus/contracts/filament/ledger'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { callApi } from '@/lib/http/api.ts'
import { formatGrams } from '@/lib/format/format.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { AfterLine } from './amount-preview.tsx'
import { useBooking } from './use-book-entry.ts'

const FIELDS = ['gross_grams', 'spool_weight_grams', 'reason'] as const

interface WeighDialogProps {
  spool: Spool
  onClose: () => void
}

/** A spool on the scale: what it weighs now, less what it weighs empty. */
export function WeighDialog({ spool, onClose }: WeighDialogProps) {
  const [gross, setGross] = useState('')
  const [empty, setEmpty] = useState(numberText(spool.spool_weight_grams))
  const booking = useBooking({
    fields: FIELDS,
    schema: weighSpoolBody,
    send: (body, headers) => callApi(weighSpool, { params: { id: spool.id }, body, headers }),
    onClose,
  })
  const grossGrams = typedNumber(gross)
  const emptyGrams = typedNumber(empty)
  const left = grossGrams === null || emptyGrams === null ? Number.NaN : grossGrams - emptyGrams
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Weigh spool"
      size="sm"
      error={booking.failure}
      onSubmit={() =>
        void booking.book({
          gross_grams: grossGrams ?? Number.NaN,
          ...(emptyGrams !== null && { spool_weight_grams: emptyGrams }),
        })
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={booking.isPending}>
            {left >= 0 ? `Set to ${formatGrams(left)}` : 'Set'}
          </Button>
        </>
      }
    >
      <AfterLine
        spool={spool}
        afterGrams={left >= 0 ? left : null}
        warning={left < 0 ? 'That is less than the empty spool weighs.' : null}
      />
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="On the scale" isRequired error={booking.errors.gross_grams} hint="With the spool">
          <Input
            value={gross}
            inputMode="decimal"
            autoComplete="off"
            autoFocus
            unit="g"
            onChange={(event) => {
              setGross(event.target.value)
              booking.clear('gross_grams')
            }}
          />
        </Field>
        <Field
          label="Empty spool"
          isRequired={spool.spool_weight_grams === null}
          error={booking.errors.spool_weight_grams}
          hint={spool.spool_weight_grams === null ? 'Kept with the spool' : 'As it is known'}
        >
          <Input
            value={empty}
            inputMode="decimal"
            autoComplete="off"
            unit="g"
            onChange={(event) => {
              setEmpty(event.target.value)
              booking.clear('spool_weight_grams')
            }}
          />
        </Field>
      </div>
    </Dialog>
  )
}
