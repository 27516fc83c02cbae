import type { Product } from '@pegasus/contracts/products/products'
import { PUBLISHED_LOCALLY } from '@pegasus/contracts/products/publishing'
import { isAdmin } from '@pegasus/contracts/roles'
import { useState } from 'react'
import { Button, type ButtonProps } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { ApiError, errorMessage } from '@/lib/http/api-error.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { usePublishProduct } from '../products.queries.ts'
import { publishWord } from './product-state.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface PublishButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  product: Product
  /** True for lists with several buttons: the label is short, and its accessible name includes the product's name. */
  isInList?: boolean
  /** True if publishing overwrites changes in the shop. The button then has another label. */
  isPush?: boolean
}

/** Publishes a product again or with later changes. If the license check refuses, admins can publish it anyway. */
export function PublishButton({ product, isInList = false, isPush = false, ...look }: PublishButtonProps) {
  const { role } = useCurrentUser()
  const publish = usePublishProduct(product.id)
  const [isAsking, setIsAsking] = useState(false)
  const [reason, setReason] = useState('')
  const send = (given?: string) =>
    publish.mutate(
      { reason: given, again: isPush },
      {
        onSuccess: ({ name, publication }) => {
          setIsAsking(false)
          toast({
            title:
              publication.target === 'local' ? PUBLISHED_LOCALLY : t('“{name}” is in the shop', { name }),
          })
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'license_blocked' && isAdmin(role))
            setIsAsking(true)
          else if (!isAsking) toast({ title: errorMessage(error, t('That did not work. Please try again.')) })
        },
      },
    )
  const word = isPush ? t('Publish ours') : publishWord(product, { isInList })
  return (
    <>
      <Button
        {...look}
        // In a list the whole row is a link, and the button must be on top of it.
        className="relative z-1"
        isPending={publish.isPending}
        aria-label={isInList ? `${word} ${product.name}` : undefined}
        onClick={() => send()}
      >
        {word}
      </Button>
      {isAsking ? (
        <Dialog
          isOpen
          size="sm"
          onClose={() => setIsAsking(false)}
          title={t('The license does not allow selling this')}
          description={t(
            'If the author has allowed it anyway, explain how. The explanation is stored with your name.',
          )}
          error={publish.error && reason !== '' ? publish.error.message : null}
          onSubmit={() => send(reason)}
          footer={
            <>
              <Button onClick={() => setIsAsking(false)}>{t('Cancel')}</Button>
              <Button type="submit" variant="primary" isPending={publish.isPending}>
                {t('Publish anyway')}
              </Button>
            </>
          }
        >
          <Field
            label={t('Why this may be sold')}
            isRequired
            hint={t('Who allowed it, when, and where this is documented.')}
          >
            <Textarea
              rows={3}
              value={reason}
              dir="auto"
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        </Dialog>
      ) : null}
    </>
  )
}
