import { getProduct, type Product, updateProductBody } from '@pegasus/contracts/products/products'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { PageHead } from '@/components/page-head.tsx'
import { QueryError } from '@/components/query-error.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { Skeleton, SkeletonGroup } from '@/components/ui/feedback/skeleton.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { useLeaveWarning } from '@/lib/forms/use-leave-warning.ts'
import { useMediaUploads } from '@/lib/http/uploads/use-media-uploads.ts'
import { useDebouncedValue } from '@/lib/browser/use-debounced-value.ts'
import { BasicsFields } from '../product-form/basics-fields.tsx'
import { ExtrasFields } from '../product-form/extras-fields.tsx'
import { MediaFields } from '../product-form/media-fields.tsx'
import {
  FIELD_LABELS,
  type FormErrors,
  formErrors,
  formOfProduct,
  isField,
  isSameForm,
  type ProductField,
  type ProductForm,
  wireOf,
} from '../product-form/product-form.ts'
import { productQuery, reviewQuery, useUpdateProduct } from '../products.queries.ts'
import { ShopPreview } from '../shop-preview.tsx'
import { withStored } from '../product-form/product-media-files.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Fields of the form that only the wizard needs. They are not part of the product. */
const OF_THE_WIZARD: readonly ProductField[] = ['isSlugCustom', 'uploadedFiles']

/** Returns the fields of a product in which two forms differ. */
const changedFields = (one: ProductForm, other: ProductForm): ProductField[] =>
  (Object.keys(one) as ProductField[]).filter(
    (field) => !OF_THE_WIZARD.includes(field) && JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  )

interface ProductMerge {
  /** The form with the typed values, and with the saved values in all other fields. */
  form: ProductForm
  theirs: ProductForm
  /** Fields that both people have changed, to different values. */
  conflicts: ProductField[]
}

/** Merges the typed values with the values that somebody else has saved since `base`. */
function mergeEdits(base: ProductForm, mine: ProductForm, theirs: ProductForm): ProductMerge {
  const typed = changedFields(base, mine)
  const changed = changedFields(base, theirs)
  return {
    form: { ...theirs, ...Object.fromEntries(typed.map((field) => [field, mine[field]])) },
    theirs,
    conflicts: changedFields(mine, theirs).filter(
      (field) => typed.includes(field) && changed.includes(field),
    ),
  }
}

const REVIEW_SETTLE_MS = 500

/** The form that edits a product in the catalog. */
export function ProductEdit({ id, backTo }: { id: string; backTo: string }) {
  const query = useQuery(productQuery(id))
  if (query.data) return <EditForm product={query.data} backTo={backTo} />
  return query.isError ? (
    <QueryError query={query} message={t('The product could not be loaded.')} />
  ) : (
    <SkeletonGroup
      label={t('Loading the product')}
      className="rounded-card border border-line bg-surface p-6"
    >
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="mt-5 h-8 w-full" />
      <Skeleton className="mt-5 h-24 w-full" />
    </SkeletonGroup>
  )
}

function EditForm({ product, backTo }: { product: Product; backTo: string }) {
  const edit = useProductEdit(product, backTo)
  const { form, errors, change, merge } = edit
  const { data: review } = useQuery(reviewQuery(useDebouncedValue(wireOf(form), REVIEW_SETTLE_MS)))
  const part = { form, errors, onChange: change }
  return (
    <div className="mx-auto max-w-[1180px]">
      <PageHead backTo={backTo} backLabel={product.name} title={t('Edit product')} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <section
          aria-label={t('Edit product')}
          className="min-w-0 rounded-card border border-line bg-surface"
        >
          <form id="edit-product" noValidate onSubmit={edit.handleSubmit} className="contents">
            {merge ? <ConflictNotice merge={merge} /> : null}
            <Part title={t('Basics')}>
              <BasicsFields
                {...part}
                isSlugFree={product.published_at === null}
                slugHint={
                  product.published_at === null
                    ? t('The address of the product in the shop.')
                    : t('The shop knows this product by its slug, so the slug cannot change.')
                }
              />
            </Part>
            <Part title={t('Extras')}>
              <ExtrasFields {...part} />
            </Part>
          </form>
          {/* The media fields are outside the form, because they contain a form for URLs. */}
          <Part title={t('Media')}>
            <MediaFields {...part} uploads={edit.uploads} />
          </Part>
          <footer className="flex flex-wrap items-center gap-2 px-6 py-3 phone:px-4">
            {edit.failure ? (
              <AlertBox className="min-w-0 flex-1 phone:basis-full">{edit.failure}</AlertBox>
            ) : null}
            <span className="ms-auto flex gap-2">
              <Link to={backTo} className={buttonClass()}>
                {t('Cancel')}
              </Link>
              <Button type="submit" form="edit-product" variant="primary" isPending={edit.isPending}>
                {merge ? t('Save again') : t('Save')}
              </Button>
            </span>
          </footer>
        </section>
        <ShopPreview form={form} review={review} onPrice={(price) => change({ price })} />
      </div>
    </div>
  )
}

function useProductEdit(product: Product, backTo: string) {
  const navigate = useNavigate()
  const [base, setBase] = useState(() => ({ form: formOfProduct(product), revision: product.revision }))
  const [form, setForm] = useState(base.form)
  const [errors, setErrors] = useState<FormErrors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [merge, setMerge] = useState<ProductMerge | null>(null)
  const update = useUpdateProduct(product.id)
  const change = (part: Partial<ProductForm>) => {
    setForm((now) => ({ ...now, ...part }))
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !(field in part))))
  }
  const uploads = useMediaUploads({
    atOnce: 1,
    onStored: (_, stored) => setForm((now) => ({ ...now, ...withStored(now, stored) })),
  })
  useLeaveWarning(uploads.isBusy || !isSameForm(form, base.form))

  const mergeTheirs = async () => {
    const current = await callApi(getProduct, { params: { id: product.id } })
    const merged = mergeEdits(base.form, form, formOfProduct(current))
    setBase({ form: merged.theirs, revision: current.revision })
    setForm(merged.form)
    setMerge(merged)
  }
  const fail = async (error: unknown) => {
    if (error instanceof ApiError && error.status === 412) return mergeTheirs()
    if (error instanceof ApiError)
      setErrors(
        Object.fromEntries(
          error.errors.filter(({ path }) => isField(path)).map(({ path, message }) => [path, message]),
        ),
      )
    setFailure(errorMessage(error, t('That did not work. Please try again.')))
  }
  const submit = async () => {
    setFailure(null)
    const found = formErrors(form)
    setErrors(found)
    const faulty = (Object.keys(found) as ProductField[])[0]
    if (faulty) return setFailure(`${FIELD_LABELS[faulty]}: ${found[faulty] ?? ''}`)
    const changed = changedFields(base.form, form)
    if (changed.length === 0) return navigate(backTo)
    const wire: Record<string, unknown> = wireOf(form)
    const body = updateProductBody.parse(Object.fromEntries(changed.map((field) => [field, wire[field]])))
    try {
      const saved = await update.mutateAsync({ body, revision: base.revision })
      toast({
        title:
          saved.status === 'published' && saved.has_unpublished_changes
            ? t('“{name}” saved here. Publish the changes to send them to the shop.', { name: saved.name })
            : t('“{name}” saved', { name: saved.name }),
      })
      await navigate(backTo)
    } catch (error) {
      await fail(error).catch((cause: unknown) => setFailure(errorMessage(cause, t('That did not work.'))))
    }
  }
  return {
    form,
    errors,
    change,
    failure,
    merge,
    uploads,
    isPending: update.isPending,
    handleSubmit: (event: FormEvent) => {
      event.preventDefault()
      void submit()
    },
  }
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="border-b border-line p-6 phone:p-4">
    <h2 className="mb-3 font-semibold">{title}</h2>
    {children}
  </div>
)

const ConflictNotice = ({ merge }: { merge: ProductMerge }) => (
  <div className="p-6 pb-0 phone:p-4">
    <AlertBox tone="warning" title={t('Somebody else has changed this in the meantime.')}>
      <p>
        {t(
          'Your changes are kept. The other fields show the newly saved values. Check them, and save again.',
        )}
      </p>
      {merge.conflicts.length > 0 ? (
        <p>
          {t('You both changed: {conflicts}. The form shows your value.', {
            conflicts: merge.conflicts.map((field) => FIELD_LABELS[field]).join(', '),
          })}
        </p>
      ) : null}
    </AlertBox>
  </div>
)
