import { ArrowLeft, ArrowRight } from 'lucide-react'
import { AlertBox } from '@/components/ui/alert-box.tsx'
import { Button } from '@/components/ui/button.tsx'
import { toStep } from '../product-form.ts'
import type { Wizard } from './use-wizard.ts'

interface WizardFooterProps {
  wizard: Wizard
  /** Of the form that a step is, where it is one. */
  formId: string
}

/** The way to the steps before and after, and from the last one into the shop. */
export function WizardFooter({ wizard, formId }: WizardFooterProps) {
  const { step, goTo, start, failure, isPublishing } = wizard
  return (
    <footer className="flex flex-wrap items-center gap-2 border-t border-line px-6 py-3 phone:px-4">
      {failure ? (
        <AlertBox className="mb-1 min-w-0 basis-full">Failed to create product: {failure}</AlertBox>
      ) : null}
      {step === 1 ? <span className="text-label text-ink-3">* required</span> : null}
      <Button
        className="ml-auto"
        disabled={step === 1 || isPublishing}
        icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
        onClick={() => goTo(toStep(step - 1))}
      >
        Previous
      </Button>
      {step === 4 ? (
        <Button variant="primary" isPending={isPublishing} onClick={wizard.handlePublish}>
          {isPublishing ? 'Publishing...' : 'Publish Product'}
        </Button>
      ) : (
        <Button
          key={step}
          variant="primary"
          disabled={start.isStarting}
          {...(step === 2 ? { onClick: () => goTo(3) } : { type: 'submit', form: formId })}
        >
          Next
          <ArrowRight size={16} strokeWidth={1.75} aria-hidden />
        </Button>
      )}
    </footer>
  )
}
