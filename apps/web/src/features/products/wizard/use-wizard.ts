import { PUBLISHED_LOCALLY, type PublishedProduct } from '@pegasus/contracts/products/publishing'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { type ToastOptions, toast } from '@/components/ui/overlays/toast-store.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useLeaveWarning } from '@/lib/forms/use-leave-warning.ts'
import { useMediaUploads } from '@/lib/http/uploads/use-media-uploads.ts'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value.ts'
import {
  basicsErrors,
  type FormErrors,
  formErrors,
  type ProductField,
  type ProductForm,
  type Step,
  stepOf,
  stillWrong,
  toStep,
  withChange,
  wireOf,
} from '../product-form/product-form.ts'
import { reviewQuery } from '../products.queries.ts'
import { withStored } from '../product-form/product-media-files.ts'
import { usePublish } from './use-publish.ts'
import { useWizardStart } from './use-wizard-start.ts'
import { createDraftKeeper, type DraftKeeper, type DraftState } from './draft-keeper.ts'
import { t } from '@/lib/i18n/messages.ts'

/** The draft, restored from the browser's own copy and saved while the wizard is open. */
function useDraft(accountId: string): { keeper: DraftKeeper; state: DraftState } {
  const [keeper] = useState(() => createDraftKeeper(accountId))
  const state = useSyncExternalStore(keeper.subscribe, keeper.getState)
  useEffect(() => {
    const resume = () => void keeper.save()
    addEventListener('pagehide', keeper.close)
    addEventListener('online', resume)
    void keeper.catchUp().then(resume)
    return () => {
      removeEventListener('pagehide', keeper.close)
      removeEventListener('online', resume)
      keeper.close()
    }
  }, [keeper])
  return { keeper, state }
}

const REVIEW_SETTLE_MS = 500

/** The state of the wizard: the draft, its errors, and its steps up to the publication. */
export function useWizard(productAddress: (id: string) => string) {
  const navigate = useNavigate()
  const { id: accountId } = useCurrentUser()
  const { keeper, state } = useDraft(accountId)
  const { form, step, keeping } = state
  const [errors, setErrors] = useState<FormErrors>({})
  const [reason, setReason] = useState('')
  const start = useWizardStart(keeper, {
    onOther: () => setErrors({}),
    onFilled: (filled) => setErrors((found) => stillWrong(found, filled)),
  })
  const { data: review } = useQuery(reviewQuery(useDebouncedValue(wireOf(form), REVIEW_SETTLE_MS)))
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
    // The edited field, and the slug if it changed with the name.
    const edited = [...Object.keys(part), ...(next.slug === now.slug ? [] : ['slug'])]
    setErrors((found) =>
      Object.fromEntries(Object.entries(found).filter(([field]) => !edited.includes(field))),
    )
  }
  const goTo = (next: Step) => {
    // Check again, because any change may have fixed an earlier error.
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
    failure: publication.failure,
    productAddress,
    /** Publishes the current fields as another product, in addition to the one in the shop. */
    handleMakeAnother: () => {
      keeper.makeAnother()
      publication.clearFailure()
    },
  }
}

export type Wizard = ReturnType<typeof useWizard>

/** The page changes after a publication, so its message stays longer than others. */
const PUBLISHED_TOAST_MS = 30_000

function publishedToast(
  { name, publication, site_url: siteUrl }: PublishedProduct,
  onView: () => void,
): ToastOptions {
  const title = publication.target === 'local' ? PUBLISHED_LOCALLY : t('“{name}” is in the shop', { name })
  return {
    title,
    action: { label: t('View'), onSelect: onView },
    ...(siteUrl !== null && {
      otherAction: {
        label: t('Open in the shop'),
        onSelect: () => void window.open(siteUrl, '_blank', 'noopener'),
      },
    }),
    durationMs: PUBLISHED_TOAST_MS,
  }
}

const withoutStep = (errors: FormErrors, step: Step): FormErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => stepOf(field as ProductField) !== step))
