import type { ComponentProps } from 'react'
import { Button } from '../ui/actions/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'

interface FormDialogProps
  extends Omit<ComponentProps<typeof Dialog>, 'isOpen' | 'footer' | 'hasChanges' | 'onSubmit'> {
  /** The result of `useNewForm` or `useMergedEdit`. */
  state: { failure: string | null; isPending: boolean; hasChanges: boolean; submit: () => Promise<void> }
  /** `Add location` */
  submitLabel: string
}

/**
 * A dialog that is a form: Cancel and the submit button, what failed beside them, and a question before typed text is
 * lost. A failure keeps it open. Mount it while it is open.
 */
export const FormDialog = ({ state, submitLabel, ...dialog }: FormDialogProps) => (
  <Dialog
    error={state.failure}
    {...dialog}
    isOpen
    hasChanges={state.hasChanges}
    onSubmit={() => void state.submit()}
    footer={
      <>
        <Button onClick={dialog.onClose}>Cancel</Button>
        <Button type="submit" variant="primary" isPending={state.isPending}>
          {submitLabel}
        </Button>
      </>
    }
  />
)
