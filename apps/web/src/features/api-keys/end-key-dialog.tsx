import type { ReactNode } from 'react'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { rich } from '@/lib/i18n/messages.ts'

interface EndKeyDialogProps {
  title: string
  submitLabel: string
  label: string
  /** The visible start of the key, by which people recognize it. */
  hint: string
  failure: string | null
  isPending: boolean
  onSubmit: () => Promise<void>
  onClose: () => void
  /** A further sentence below the question. */
  children?: ReactNode
}

/** Asks for confirmation before a key is deleted for good. */
export const EndKeyDialog = (props: EndKeyDialogProps) => (
  <FormDialog
    state={{ failure: props.failure, isPending: props.isPending, hasChanges: false, submit: props.onSubmit }}
    submitLabel={props.submitLabel}
    submitButton={{ variant: 'danger' }}
    onClose={props.onClose}
    size="sm"
    title={props.title}
  >
    <p className="text-ink-2">
      {rich('{strong} ({hint}) stops working at once, and cannot be restored. {children}', {
        strong: (
          <strong className="font-semibold text-ink">
            <bdi>{props.label}</bdi>
          </strong>
        ),
        hint: <code>{props.hint}</code>,
        children: props.children,
      })}
    </p>
  </FormDialog>
)
