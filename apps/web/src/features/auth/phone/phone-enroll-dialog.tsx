import { useState } from 'react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { type PhoneChallenge, proveByPhone, startPhoneEnrollment } from '@/lib/session/phone.ts'
import { removeEnrollment } from '@/lib/session/factors/second-factor.ts'
import { PhoneCodeField, PhoneField } from './phone-fields.tsx'
import { usePhoneCode, usePhoneNumber } from './use-phone-code.ts'
import { t } from '@/lib/i18n/messages.ts'

interface PhoneEnrollDialogProps {
  /** Called after a correct code, which has verified the phone. The dialog waits for the promise. */
  onProved: () => Promise<void>
  onClose: () => void
}

/** Adds a phone as a second factor: asks for its number, then for the code that was sent to it. */
export function PhoneEnrollDialog({ onProved, onClose }: PhoneEnrollDialogProps) {
  const [sent, setSent] = useState<(PhoneChallenge & { phone: string }) | null>(null)
  const number = usePhoneNumber(async (phone) => setSent({ ...(await startPhoneEnrollment(phone)), phone }))
  const code = usePhoneCode(async (given) => {
    if (!sent) return
    const { factorId, challengeId } = sent
    await proveByPhone({ factorId, challengeId }, given)
    await onProved()
    onClose()
  })
  const step = sent ? code : number

  function cancel(): void {
    // The enrollment is not cancelled while a code is being checked, because the phone may be verified already.
    if (step.isPending) return
    if (sent) void removeEnrollment(sent.factorId)
    onClose()
  }

  return (
    <Dialog
      isOpen
      onClose={cancel}
      size="sm"
      title={t('Text messages as a second factor')}
      onSubmit={step.submit}
      footer={
        <>
          <Button onClick={cancel} disabled={step.isPending}>
            {t('Cancel')}
          </Button>
          <Button type="submit" variant="primary" isPending={step.isPending}>
            {sent ? t('Verify and turn on') : t('Send code')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-ink-2">
          {sent
            ? t('We have sent a code to +{phone}. It is valid for five minutes.', { phone: sent.phone })
            : t('At each sign-in, after your password, you enter a code that we send to this phone.')}
        </p>
        {step.failure ? <AlertBox title={step.failure} /> : null}
        {sent ? <PhoneCodeField field={code.field} /> : <PhoneField field={number.field} />}
      </div>
    </Dialog>
  )
}
