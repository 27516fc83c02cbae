import { Copy, Smartphone } from 'lucide-react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { CodeInput } from '@/components/ui/forms/code-input.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { cx } from '@/lib/class-names.ts'
import { type Enrollment, proveByCode } from '@/lib/session/factors/second-factor.ts'
import { providerCode } from '../provider-message.ts'
import { describeFactorError } from './code-message.ts'
import { useCode } from './use-code.ts'
import { useCopied } from './use-copied.ts'
import { t } from '@/lib/i18n/messages.ts'

interface EnrollDialogProps {
  enrollment: Enrollment
  /** Called after a correct code, which has verified the authenticator. The dialog waits for the promise. */
  onProved: () => Promise<void>
  onCancel: () => void
}

/** Splits a secret into groups of four, which are easier to read. Apps accept it with or without spaces. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

export function EnrollDialog({ enrollment, onProved, onCancel }: EnrollDialogProps) {
  const code = useCode({
    onCheck: async (given) => {
      await proveByCode(enrollment.factorId, given)
      await onProved()
    },
    describeError: (error) =>
      providerCode(error) === 'mfa_factor_not_found'
        ? t('This QR code was valid for five minutes. Cancel and start again to get a new one.')
        : describeFactorError(error),
    incomplete: t('Enter all six digits of the code.'),
    minLength: 6,
  })
  const { isCopied, copy } = useCopied(enrollment.secret)

  function cancel(): void {
    // The enrollment is not cancelled while a code is being checked, because the authenticator may be verified already.
    if (!code.isPending) onCancel()
  }

  return (
    <Dialog
      isOpen
      onClose={cancel}
      title={t('Set up two-factor authentication')}
      onSubmit={code.submit}
      footer={
        <>
          <Button onClick={cancel} disabled={code.isPending}>
            {t('Cancel')}
          </Button>
          <Button type="submit" variant="primary" isPending={code.isPending}>
            {code.isPending ? t('Verifying...') : t('Verify and turn on')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex items-start gap-5 phone:flex-col phone:items-stretch phone:gap-3">
          {/* Scanners need a dark code on a light background in both themes. */}
          <img
            src={enrollment.qrCode}
            alt={t('QR code for your authenticator app')}
            width={168}
            height={168}
            className="size-[168px] shrink-0 rounded-control border border-line bg-[white] p-2 phone:mx-auto"
          />
          <div className="flex min-w-0 flex-col gap-3">
            <p className="text-ink-2">
              {t(
                'Scan this with an authenticator app on your phone, such as Google Authenticator, 1Password or Aegis. If you cannot scan it, type this key into the app:',
              )}
            </p>
            <div className="flex items-center gap-2 rounded-control bg-sunken py-1.5 pe-1.5 ps-3">
              <span className="min-w-0 flex-1 font-mono text-label wrap-anywhere">
                {grouped(enrollment.secret)}
              </span>
              <Button
                size="sm"
                icon={<Copy size={14} strokeWidth={1.75} aria-hidden />}
                onClick={copy}
                aria-label={isCopied ? t('Key copied') : t('Copy key')}
              >
                {isCopied ? t('Copied') : t('Copy')}
              </Button>
            </div>
            <a href={enrollment.uri} className={cx(buttonClass(), 'sm:hidden')}>
              <Smartphone size={16} strokeWidth={1.75} aria-hidden />
              {t('Open in the app on this phone')}
            </a>
          </div>
        </div>
        {code.failure ? <AlertBox title={code.failure} /> : null}
        <Field label={t('Code')} isRequired hint={t('The six digits that the app shows now')}>
          <CodeInput {...code.field} autoFocus />
        </Field>
      </div>
    </Dialog>
  )
}
