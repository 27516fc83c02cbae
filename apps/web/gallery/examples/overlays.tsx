import { useState } from 'react'
import { ClearPrinterDialog } from '@/components/printer-dialogs/clear-printer-dialog.tsx'
import { PrintFailureDialog } from '@/components/printer-dialogs/print-failure-dialog.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { InDock } from '@/components/ui/overlays/dock.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { Tooltip } from '@/components/ui/overlays/tooltip.tsx'
import { type ExampleGroup, ignore } from '../example.tsx'

export const OVERLAYS: readonly ExampleGroup[] = [
  {
    component: 'Dialog',
    examples: [
      { name: 'A form', show: <DialogExample label="Open a form" isForm /> },
      { name: 'With an error', show: <DialogExample label="Open an error" error="This name is taken." /> },
    ],
  },
  {
    component: 'ConfirmDialog',
    examples: [
      { name: 'A question', show: <ConfirmExample /> },
      { name: 'After a failure', show: <ConfirmExample error="The server did not answer." /> },
    ],
  },
  {
    component: 'ClearPrinterDialog',
    examples: [{ name: 'A plate of a job', show: <ClearExample /> }],
  },
  {
    component: 'PrintFailureDialog',
    examples: [{ name: 'A failed print', show: <FailureExample /> }],
  },
  {
    component: 'Toaster',
    examples: [
      {
        name: 'With Undo',
        show: (
          <Button
            onClick={() => toast({ title: 'Wall hook deleted', action: { label: 'Undo', onSelect: ignore } })}
          >
            Show a toast
          </Button>
        ),
      },
    ],
  },
  {
    component: 'Tooltip',
    examples: [
      {
        name: 'On hover and focus',
        show: (
          <Tooltip text="Opens the profile">
            <Button>Profile</Button>
          </Tooltip>
        ),
      },
    ],
  },
  { component: 'InDock', examples: [{ name: 'Floats at the lower edge', show: <DockExample /> }] },
]

function ConfirmExample({ error }: { error?: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{error ? 'Ask after a failure' : 'Ask'}</Button>
      {isOpen ? (
        <ConfirmDialog
          title="Remove “Phone”?"
          keepLabel="Keep it"
          confirmLabel="Remove authenticator"
          error={error ?? null}
          onConfirm={close}
          onClose={close}
        >
          It stops working at once.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

function DialogExample({
  label,
  error,
  isForm = false,
}: {
  label: string
  error?: string
  isForm?: boolean
}) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{label}</Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title="Rename the location"
        description="Everything in it stays."
        error={error}
        {...(isForm && { onSubmit: close })}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button
              variant="primary"
              type={isForm ? 'submit' : 'button'}
              onClick={isForm ? undefined : close}
            >
              Rename
            </Button>
          </>
        }
      >
        <Field label="Name">
          <Input defaultValue="Rack A3" />
        </Field>
      </Dialog>
    </>
  )
}

function FailureExample() {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open a failure</Button>
      {isOpen ? (
        <PrintFailureDialog
          title="Failed on MK4"
          lostPieces={4}
          filamentHint="If empty, the amount that the printer reported"
          onFail={async () => close()}
          onClose={close}
        >
          <p className="mb-4 text-label text-ink-2">Wall hook</p>
        </PrintFailureDialog>
      ) : null}
    </>
  )
}

const ON_BED = {
  id: 'mk4',
  name: 'MK4',
  state_reason: 'Plate 1 is printed. Take it off and clear the bed.',
  current_job: { label_code: 'J-0007', name: 'Wall hook', plate_id: 'plate', pieces: 4, note: null },
}

function ClearExample() {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open a clearing</Button>
      {isOpen ? <ClearPrinterDialog printer={ON_BED} onClear={ignore} onClose={close} /> : null}
    </>
  )
}

function DockExample() {
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <Button onClick={() => setIsShown(!isShown)}>{isShown ? 'Hide' : 'Show'} the dock</Button>
      {isShown ? (
        <InDock>
          <div className="rounded-card border border-line-2 bg-surface p-4 shadow-float">Three uploads</div>
        </InDock>
      ) : null}
    </>
  )
}
