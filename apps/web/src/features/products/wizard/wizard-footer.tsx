import { ArrowLeft, ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { toStep } from '../product-form/product-form.ts'
import type { PublishFailure } from './use-publish.ts'
import type { Wizard } from './use-wizard.ts'
import { t } from '@/lib/i18n/messages.ts'

interface WizardFooterProps {
  wizard: Wizard
  /** Id of the step's form, if the step is a form. */
  formId: string
}

/** The buttons for the previous and the next step, and for publishing at the last step. */
export function WizardFooter({ wizard, formId }: WizardFooterProps) {
  const { step, goTo, start, failure, isPublishing } = wizard
  // An upload that finishes after the publication would be neither in the product nor in the draft.
  const isUploading = wizard.uploads.isBusy
  return (
    <footer className="flex flex-wrap items-center gap-2 border-t border-line px-6 py-3 phone:px-4">
      {failure ? (
        <>
          <AlertBox className="min-w-0 basis-full">
            {t('Failed to create product: {message}', { message: failure.message })}
          </AlertBox>
          <WayOn wizard={wizard} failure={failure} />
        </>
      ) : null}
      {step === 4 && isUploading ? (
        <span role="status" className="text-label text-ink-3">
          {t('Files are still being uploaded.')}
        </span>
      ) : null}
      {step === 1 ? <span className="text-label text-ink-3">{t('* required')}</span> : null}
      <Button
        className="ms-auto"
        disabled={step === 1 || isPublishing}
        icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
        onClick={() => goTo(toStep(step - 1))}
      >
        {t('Previous')}
      </Button>
      {step === 4 ? (
        <Button
          variant="primary"
          isPending={isPublishing}
          disabled={isUploading}
          onClick={wizard.handlePublish}
        >
          {isPublishing ? t('Publishing...') : t('Publish Product')}
        </Button>
      ) : (
        <Button
          key={step}
          variant="primary"
          disabled={start.isStarting}
          {...(step === 2 ? { onClick: () => goTo(3) } : { type: 'submit', form: formId })}
        >
          {t('Next')}
          <ArrowRight size={16} strokeWidth={1.75} aria-hidden />
        </Button>
      )}
    </footer>
  )
}

/**
 * Shows a link to the product that exists despite the failure and, if it is in the shop, a button that
 * publishes another product.
 */
function WayOn({ wizard, failure }: { wizard: Wizard; failure: PublishFailure }) {
  if (failure.productId === null) return null
  return (
    <p className="mb-1 flex basis-full flex-wrap items-center gap-x-4 gap-y-1 px-3 text-label">
      <Link className="link" to={wizard.productAddress(failure.productId)}>
        {t('Open the product')}
      </Link>
      {failure.isThere ? (
        <button type="button" className="link" onClick={wizard.handleMakeAnother}>
          {t('Make this a second product')}
        </button>
      ) : null}
    </p>
  )
}
