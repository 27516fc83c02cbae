import type { ReactNode } from 'react'
import { Button } from '../actions/button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  /** Label of the button that changes nothing: `Keep it`. */
  keepLabel: string
  /** Label of the button that confirms. */
  confirmLabel: string
  isPending?: boolean
  /** Why the last attempt failed. */
  error?: string | null
  onConfirm: () => void
  onClose: () => void
  /** Text that says what the person would lose. */
  children: ReactNode
}

/** Asks for confirmation before something is lost for good. */
export const ConfirmDialog = (props: ConfirmDialogProps) => (
  <Dialog
    isOpen
    onClose={props.onClose}
    size="sm"
    title={props.title}
    error={props.error}
    footer={
      <>
        <Button onClick={props.onClose}>{props.keepLabel}</Button>
        <Button variant="danger" isPending={props.isPending ?? false} onClick={() => props.onConfirm()}>
          {props.confirmLabel}
        </Button>
      </>
    }
  >
    <p className="text-ink-2">{props.children}</p>
  </Dialog>
)
