import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { PageHead } from '@/components/page-head.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { useConfig } from '@/lib/http/config.ts'
import { useIsPhone } from '@/lib/browser/use-is-phone.ts'
import { BasicsFields } from '../product-form/basics-fields.tsx'
import { ExtrasFields } from '../product-form/extras-fields.tsx'
import { FindingsList } from '../findings-list.tsx'
import { MediaFields } from '../product-form/media-fields.tsx'
import {
  basicsErrors,
  type FormErrors,
  type ProductField,
  type Step,
  stepOf,
  STEPS,
} from '../product-form/product-form.ts'
import { draftsQuery } from '../products.queries.ts'
import { ShopPreview } from '../shop-preview.tsx'
import { DraftsDialog } from './drafts-dialog.tsx'
import { DraftSavedNote, DraftSaveError } from './draft-saved-note.tsx'
import { ReviewStep } from './review-step.tsx'
import { StartBar } from './start-bar.tsx'
import { StepBar } from './step-bar.tsx'
import { useStepFocus } from './use-step-focus.ts'
import { useWizard } from './use-wizard.ts'
import { WizardFooter } from './wizard-footer.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

const FORM_ID = 'wizard-step'

/** The wizard that publishes a new product in four steps. It never loses input. */
export function WizardPage({ productAddress }: { productAddress: (id: string) => string }) {
  const wizard = useWizard(productAddress)
  const { keeper, keeping, form, step, errors, change, goTo, review, start } = wizard
  const [isDraftsOpen, setIsDraftsOpen] = useState(false)
  const { data: drafts } = useQuery(draftsQuery)
  const panel = useRef<HTMLDivElement>(null)
  const { focusField } = useStepFocus(panel, step, goTo)
  const part = { form, errors, onChange: change }
  const findings = step === 4 && review ? <FindingsList review={review} onField={focusField} /> : null
  // On a phone, the preview is below the button, so the findings are shown above it.
  const isPhone = useIsPhone()
  return (
    <>
      <PageHead
        backTo="/admin"
        backLabel={t('Back to Admin')}
        title={t('New Product')}
        aside={
          <>
            <DraftSavedNote keeping={keeping} onRetry={() => void keeper.save()} />
            <Button size="sm" disabled={wizard.isPublishing} onClick={() => setIsDraftsOpen(true)}>
              {drafts && drafts.length > 0 ? t('Drafts ({count})', { count: drafts.length }) : t('Drafts')}
            </Button>
          </>
        }
      />
      <div inert={wizard.isPublishing}>
        <DraftSaveError keeping={keeping} keeper={keeper} />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <section
          aria-label={t('Product wizard')}
          className="min-w-0 overflow-hidden rounded-card border border-line bg-surface phone:-scroll-mt-10"
        >
          {review?.sold_as && (step === 1 || step === 4) ? (
            <SoldNote product={review.sold_as} to={productAddress(review.sold_as.id)} />
          ) : null}
          <StepBar
            isFrozen={wizard.isPublishing}
            current={step}
            isOpen={Object.keys(basicsErrors(form)).length === 0}
            faults={countFaults(errors)}
            onStep={goTo}
          />
          <div
            ref={panel}
            tabIndex={-1}
            inert={wizard.isPublishing}
            role="group"
            aria-label={t('Step {step} of {STEPS}: {STEPS2}', {
              step,
              STEPS: STEPS.length,
              STEPS2: STEPS[step - 1],
            })}
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
                  drafts={(drafts ?? []).filter(({ id }) => id !== keeper.serverId())}
                  onDraft={({ id }) => void start.openDraft(id)}
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
              <>
                {isPhone && findings ? <div className="-mt-px border-b border-line">{findings}</div> : null}
                <ReviewStep
                  form={form}
                  review={review}
                  onStep={goTo}
                  reason={wizard.reason}
                  onReason={wizard.setReason}
                />
                {isPhone ? <Destination /> : null}
              </>
            )}
          </div>
          <WizardFooter wizard={wizard} formId={FORM_ID} />
        </section>
        <ShopPreview form={form} review={review} onPrice={step === 4 ? null : (price) => change({ price })}>
          {isPhone ? null : <div inert={wizard.isPublishing}>{findings}</div>}
          {step === 4 && !isPhone ? <Destination /> : null}
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
            void start.startNewDraft()
          }}
          onDeletedCurrent={() => keeper.forget()}
          onClose={() => setIsDraftsOpen(false)}
        />
      ) : null}
    </>
  )
}

/** Says that a product already sells the item of the draft, and links to it. */
const SoldNote = ({ product, to }: { product: { name: string }; to: string }) => (
  <AlertBox tone="warning" className="rounded-none!">
    {rich(
      'This item is already sold as <a>{name}</a>. If you publish this draft, the shop gets a second product.',
      {
        name: <bdi>{product.name}</bdi>,
        a: (text) => (
          <Link to={to} className="link">
            {text}
          </Link>
        ),
      },
    )}
  </AlertBox>
)

const countFaults = (errors: FormErrors): Partial<Record<Step, number>> => {
  const counts: Partial<Record<Step, number>> = {}
  for (const field of Object.keys(errors) as ProductField[])
    counts[stepOf(field)] = (counts[stepOf(field)] ?? 0) + 1
  return counts
}

const Starting = () => (
  <SkeletonGroup label={t('Collecting the available data')} className="flex flex-col gap-5 p-6">
    {['w-2/3', 'w-1/2', 'w-full', 'w-4/5'].map((width) => (
      <div key={width}>
        <Skeleton className="h-3 w-20" />
        <Skeleton className={`mt-2 h-8 ${width}`} />
      </div>
    ))}
  </SkeletonGroup>
)

/** Says where the product will be published. */
function Destination() {
  const config = useConfig()
  if (!config) return null
  return (
    <p className="border-t border-line p-4 text-label text-ink-2 wrap-anywhere">
      {config.main_site_url ? (
        <>
          {rich(
            'Goes to {host}. If the shop does not respond, the product stays here as not published, and you can try again.',
            { host: <b className="font-semibold text-ink">{new URL(config.main_site_url).host}</b> },
          )}
        </>
      ) : (
        t(
          'No main site is configured: the product is stored in the local catalog, and nothing is sent to a shop.',
        )
      )}
    </p>
  )
}
