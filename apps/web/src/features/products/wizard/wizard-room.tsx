import { PUBLISHED_LOCALLY, type PublishedProduct } from '@pegasus/contracts/products'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { PageHead } from '@/components/page-head.tsx'
import { AlertBox } from '@/components/ui/alert-box.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton.tsx'
import { toast } from '@/components/ui/toast-store.ts'
import { useConfig } from '@/lib/config.ts'
import { useCurrentUser } from '@/lib/session.ts'
import { useLeaveWarning } from '@/lib/use-leave-warning.ts'
import { useMediaUploads } from '@/lib/use-media-uploads.ts'
import { useSettled } from '@/lib/use-settled.ts'
import { BasicsFields } from '../basics-fields.tsx'
import { ExtrasFields } from '../extras-fields.tsx'
import { FindingsList } from '../findings-list.tsx'
import { MediaFields } from '../media-fields.tsx'
import {
  basicsErrors,
  type FormErrors,
  formErrors,
  type ProductField,
  type ProductForm,
  type Step,
  stepOf,
  STEPS,
  toStep,
  withChange,
  wireOf,
} from '../product-form.ts'
import { draftsQuery, reviewQuery } from '../products.queries.ts'
import { ShopPreview } from '../shop-preview.tsx'
import { withStored } from '../wizard-media.ts'
import { DraftsDialog } from './drafts-dialog.tsx'
import { KeepingNote, KeepingTrouble } from './keeping-note.tsx'
import { ReviewStep } from './review-step.tsx'
import { StartBar } from './start-bar.tsx'
import { StepBar } from './step-bar.tsx'
import { useDraft } from './use-draft.ts'
import { usePublish } from './use-publish.ts'
import { useWizardStart } from './use-wizard-start.ts'

const REVIEW_SETTLE_MS = 500
const FORM_ID = 'wizard-step'

/** From an idea to the main site in four steps, of which nothing is lost on the way. */
export function WizardRoom({ productAddress }: { productAddress: (id: string) => string }) {
  const wizard = useWizard(productAddress)
  const { keeper, keeping, form, step, errors, change, goTo, review, start } = wizard
  const [isDraftsOpen, setIsDraftsOpen] = useState(false)
  const { data: drafts } = useQuery(draftsQuery)
  const panel = useRef<HTMLDivElement>(null)
  const { focusField } = useStepFocus(panel, step, goTo)
  const part = { form, errors, onChange: change }
  return (
    <>
      <PageHead
        backTo="/admin"
        backLabel="Back to Admin"
        title="New Product"
        aside={
          <>
            <KeepingNote keeping={keeping} onRetry={() => void keeper.save()} />
            <Button size="sm" onClick={() => setIsDraftsOpen(true)}>
              Drafts{drafts && drafts.length > 0 ? ` (${drafts.length})` : ''}
            </Button>
          </>
        }
      />
      <KeepingTrouble keeping={keeping} keeper={keeper} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <section
          aria-label="Product wizard"
          className="min-w-0 overflow-hidden rounded-card border border-line bg-surface phone:-scroll-mt-10"
        >
          <StepBar
            current={step}
            isOpen={Object.keys(basicsErrors(form)).length === 0}
            faults={countFaults(errors)}
            onStep={goTo}
          />
          <div
            ref={panel}
            tabIndex={-1}
            role="group"
            aria-label={`Step ${step} of ${STEPS.length}: ${STEPS[step - 1]}`}
            className="outline-none"
          >
            {start.isStarting ? (
              <Starting />
            ) : step === 1 ? (
              <form
                id={FORM_ID}
                noValidate
                onSubmit={wizard.handleNext}
                className="flex flex-col gap-4 p-6 phone:p-4"
              >
                <StartBar
                  form={form}
                  onPick={(picked) => void start.startFrom(picked)}
                  drafts={drafts?.length ?? 0}
                  onDrafts={() => setIsDraftsOpen(true)}
                />
                <BasicsFields {...part} />
              </form>
            ) : step === 2 ? (
              <div className="p-6 phone:p-4">
                <MediaFields {...part} uploads={wizard.uploads} />
              </div>
            ) : step === 3 ? (
              <form id={FORM_ID} noValidate onSubmit={wizard.handleNext} className="p-6 phone:p-4">
                <ExtrasFields {...part} />
              </form>
            ) : (
              <ReviewStep
                form={form}
                review={review}
                onStep={goTo}
                reason={wizard.reason}
                onReason={wizard.setReason}
              />
            )}
          </div>
          <footer className="flex flex-wrap items-center gap-2 border-t border-line px-6 py-3 phone:px-4">
            {wizard.failure ? (
              <AlertBox className="mb-1 min-w-0 basis-full">
                Failed to create product: {wizard.failure}
              </AlertBox>
            ) : null}
            {step === 1 ? <span className="text-label text-ink-3">* required</span> : null}
            <Button
              className="ml-auto"
              disabled={step === 1 || wizard.isPublishing}
              icon={<ArrowLeft size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => goTo(toStep(step - 1))}
            >
              Previous
            </Button>
            {step === 4 ? (
              <Button variant="primary" isPending={wizard.isPublishing} onClick={wizard.handlePublish}>
                {wizard.isPublishing ? 'Publishing...' : 'Publish Product'}
              </Button>
            ) : (
              <Button
                key={step}
                variant="primary"
                disabled={start.isStarting}
                {...(step === 2 ? { onClick: () => goTo(3) } : { type: 'submit', form: FORM_ID })}
              >
                Next
                <ArrowRight size={16} strokeWidth={1.75} aria-hidden />
              </Button>
            )}
          </footer>
        </section>
        <ShopPreview form={form} review={review} onPrice={step === 4 ? null : (price) => change({ price })}>
          {step === 4 && review ? <FindingsList review={review} onField={focusField} /> : null}
          {step === 4 ? <Destination /> : null}
        </ShopPreview>
      </div>
      {isDraftsOpen ? (
        <DraftsDialog
          currentId={keeper.serverId()}
          onOpen={({ id }) => {
            setIsDraftsOpen(false)
            void start.openDraft(id)
          }}
          onNew={() => {
            setIsDraftsOpen(false)
            void start.beginAnew()
          }}
          onDeletedCurrent={() => keeper.forget()}
          onClose={() => setIsDraftsOpen(false)}
        />
      ) : null}
    </>
  )
}

function useWizard(productAddress: (id: string) => string) {
  const navigate = useNavigate()
  const { id: accountId } = useCurrentUser()
  const { keeper, state } = useDraft(accountId)
  const { form, step, keeping } = state
  const [errors, setErrors] = useState<FormErrors>({})
  const [reason, setReason] = useState('')
  const start = useWizardStart(keeper, () => setErrors({}))
  const { data: review } = useQuery(reviewQuery(useSettled(wireOf(form), REVIEW_SETTLE_MS)))
  const publication = usePublish(keeper, (product) => {
    toast(publishedToast(product, () => void navigate(productAddress(product.id))))
    void navigate('/admin')
  })
  const uploads = useMediaUploads({
    atOnce: 1,
    onStored: (_, stored) => change(withStored(keeper.getState().form, stored)),
  })
  useLeaveWarning(uploads.isBusy)

  const change = (part: Partial<ProductForm>) => {
    const now = keeper.getState().form
    const next = withChange(now, part)
    keeper.change({ form: next })
    publication.clearFailure()
    // Its own, and the slug's where that followed.
    const edited = [...Object.keys(part), ...(next.slug === now.slug ? [] : ['slug'])]
    setErrors((found) =>
      Object.fromEntries(Object.entries(found).filter(([field]) => !edited.includes(field))),
    )
  }
  const goTo = (next: Step) => {
    // What was wrong before may be right by now, however that came about.
    const found = next > 1 && step === 1 ? basicsErrors(form) : null
    if (found) setErrors((now) => ({ ...withoutStep(now, 1), ...found }))
    if (found && Object.keys(found).length > 0) return
    keeper.change({ step: next })
  }
  const handlePublish = () => {
    const found = basicsErrors(form)
    if (Object.keys(found).length > 0) {
      setErrors(found)
      keeper.change({ step: 1 })
      return
    }
    setErrors(formErrors(form))
    void publication.publish(form, reason)
  }
  return {
    keeper,
    keeping,
    form,
    step,
    errors,
    change,
    goTo,
    review,
    start,
    uploads,
    reason,
    setReason,
    handleNext: (event: React.FormEvent) => {
      event.preventDefault()
      goTo(toStep(step + 1))
    },
    handlePublish,
    isPublishing: publication.isPending,
    failure: publication.failure?.message ?? null,
  }
}

function publishedToast({ name, publication }: PublishedProduct, onView: () => void) {
  const title = publication.target === 'local' ? PUBLISHED_LOCALLY : `“${name}” is in the shop`
  return { title, action: { label: 'View', onSelect: onView }, durationMs: 8000 }
}

const withoutStep = (errors: FormErrors, step: Step): FormErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => stepOf(field as ProductField) !== step))

const countFaults = (errors: FormErrors): Partial<Record<Step, number>> => {
  const counts: Partial<Record<Step, number>> = {}
  for (const field of Object.keys(errors) as ProductField[])
    counts[stepOf(field)] = (counts[stepOf(field)] ?? 0) + 1
  return counts
}

/** The focus goes with the step, to what is wrong in it, or to a field that somebody wants to mend. */
function useStepFocus(panel: React.RefObject<HTMLDivElement | null>, step: Step, goTo: (step: Step) => void) {
  const wanted = useRef<ProductField | null>(null)
  const shown = useRef(step)
  const focus = useEffectEvent(() => {
    const field = wanted.current
    wanted.current = null
    const control = field ? panel.current?.querySelector<HTMLElement>(`[name="${field}"]`) : null
    // From its beginning, with the steps above it.
    panel.current?.parentElement?.scrollIntoView({ block: 'start' })
    if (control) control.focus()
    else panel.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    focus()
  }, [step, panel])
  return {
    focusField: (field: ProductField) => {
      wanted.current = field
      goTo(stepOf(field))
    },
  }
}

const Starting = () => (
  <SkeletonGroup label="Gathering what is known" className="flex flex-col gap-5 p-6">
    {['w-2/3', 'w-1/2', 'w-full', 'w-4/5'].map((width) => (
      <div key={width}>
        <Skeleton className="h-3 w-20" />
        <Skeleton className={`mt-2 h-8 ${width}`} />
      </div>
    ))}
  </SkeletonGroup>
)

/** Where Publish takes it. */
function Destination() {
  const config = useConfig()
  if (!config) return null
  return (
    <p className="border-t border-line p-4 text-label text-ink-2 wrap-anywhere">
      {config.main_site_url ? (
        <>
          Goes to <b className="font-semibold text-ink">{new URL(config.main_site_url).host}</b>. If the shop
          does not answer, the product stays here as not published, with a retry.
        </>
      ) : (
        'No main site is configured: the product is stored in the local catalogue, and nothing is sent to a shop.'
      )}
    </p>
  )
}
