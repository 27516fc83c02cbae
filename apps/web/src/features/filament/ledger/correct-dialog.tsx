import type { Spool } from '@pegasus/contracts/filament/spools'
import { correctSpool, correctSpoolBody } from '@pegasus/contracts/filament/ledger'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { callApi } from '@/lib/http/api.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { AfterLine } from './amount-preview.tsx'
import { useBooking } from './use-book-entry.ts'

const FIELDS = ['remaining_grams', 'reason'] as const

interface CorrectDialogProps {
  spool: Spool
  onClose: () => void
}

/** Says what is really left, and why the ledger was wrong. */
export function CorrectDialog({ spool, onClose }: CorrectDialogProps) {
  const [known] = useState(() => String(Math.round(spool.remaining_grams * 10) / 10))
  const [remaining, setRemaining] = useState(known)
  const [reason, setReason] = useState('')
  const booking = useBooking({
    fields: FIELDS,
    schema: correctSpoolBody,
    send: (body, headers) => callApi(correctSpool, { params: { id: spool.id }, body, headers }),
    onClose,
  })
  const grams = typedNumber(remaining) ?? Number.NaN
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Correct what is left"
      size="sm"
      error={booking.failure}
      hasChanges={remaining !== known || reason.trim() !== ''}
      onSubmit={() => void booking.book({ remaining_grams: grams, reason })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={booking.isPending}>
            Correct
          </Button>
        </>
      }
    >
      <AfterLine spool={spool} afterGrams={grams >= 0 ? grams : null} />
      <div className="flex flex-col gap-4">
        <Field label="Remaining" isRequired error={booking.errors.remaining_grams}>
          <Input
            value={remaining}
            inputMode="decimal"
            autoComplete="off"
            autoFocus
            unit="g"
            onChange={(event) => {
              setRemaining(event.target.value)
              booking.clear('remaining_grams')
            }}
          />
        </Field>
        <Field label="Reason" isRequired error={booking.errors.reason} hint="Stands in the ledger">
          <Input
            value={reason}
            maxLength={500}
            dir="auto"
            onChange={(event) => {
              setReason(event.target.value)
              booking.clear('reason')
            }}
          />
        </Field>
      </div>
    </Dialog>
  )
}
