import type { ComponentProps, ReactNode } from 'react'
import { Button, type ButtonProps } from '../ui/actions/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface FormDialogProps
  extends Omit<ComponentProps<typeof Dialog>, 'isOpen' | 'footer' | 'hasChanges' | 'onSubmit'> {
  /** The result of `useNewForm` or `useMergedEdit`. */
  state: { failure: string | null; isPending: boolean; hasChanges: boolean; submit: () => Promise<void> }
  /** Label of the submit button: `Add location` */
  submitLabel: string
  /** Other properties of the submit button, such as an icon or `variant: 'danger'`. */
  submitButton?: Omit<ButtonProps, 'type' | 'isPending' | 'children'>
  /** Label of the button that closes the dialog without saving; `Cancel` by default. */
  cancelLabel?: string
  /** Additional buttons before Cancel. */
  extraButtons?: ReactNode
}

/**
 * A dialog that is a form, with Cancel, the submit button, and the error next to them. It asks before it discards typed
 * text, and stays open after a failure. Mount it only while it is open.
 */
export const FormDialog = ({
  state,
  submitLabel,
  submitButton,
  cancelLabel = t('Cancel'),
  extraButtons,
  ...dialog
}: FormDialogProps) => (
  <Dialog
    error={state.failure}
    {...dialog}
    isOpen
    hasChanges={state.hasChanges}
    onSubmit={() => void state.submit()}
    footer={
      <>
        {extraButtons}
        <Button onClick={dialog.onClose}>{cancelLabel}</Button>
        <Button variant="primary" {...submitButton} type="submit" isPending={state.isPending}>
          {submitLabel}
        </Button>
      </>
    }
  />
)
