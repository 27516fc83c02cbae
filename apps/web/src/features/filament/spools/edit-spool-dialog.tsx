import { getSpool, type Spool } from '@pegasus/contracts/filament/spools'
import { type UpdateSpoolBody, updateSpool } from '@pegasus/contracts/filament/spool-changes'
import { Meanwhile, Theirs } from '@/components/edit-conflict.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { useMergedEdit } from '@/lib/forms/use-merged-edit.ts'
import { useSpoolRefresh } from '../filament.queries.ts'
import { SpoolFields } from './spool-fields.tsx'
import { formOf, readSpoolEdit, SPOOL_LABELS } from './spool-form.ts'

interface EditSpoolDialogProps {
  spool: Spool
  onClose: () => void
}

/** What is known of a spool and its filament. What somebody else saves meanwhile is shown, and nothing typed is lost. */
export function EditSpoolDialog({ spool, onClose }: EditSpoolDialogProps) {
  const refresh = useSpoolRefresh()
  const { id, label_code } = spool
  const edit = useMergedEdit({
    thing: spool,
    formOf,
    read: readSpoolEdit,
    save: ({ body, revision }: { body: UpdateSpoolBody; revision: number }) =>
      callApi(updateSpool, { params: { id }, body, headers: { 'If-Match': `"${revision}"` } }),
    reread: () => callApi(getSpool, { params: { id } }),
    onSaved: (saved) => {
      if (saved) {
        toast({ title: `${label_code} saved` })
        refresh(saved)
      }
      onClose()
    },
  })
  const { form, change, errors, merge } = edit
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Edit ${label_code}`}
      description="Density, temperatures, color code, low stock and drying belong to the filament, and change for all its spools."
      size="lg"
      error={edit.failure}
      hasChanges={edit.hasChanges}
      onSubmit={() => void edit.submit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={edit.isPending}>
            {merge ? 'Save again' : 'Save'}
          </Button>
        </>
      }
    >
      {merge ? <Meanwhile merge={merge} labels={SPOOL_LABELS} className="mb-4" /> : null}
      <SpoolFields
        form={form}
        change={change}
        errors={errors}
        hintOf={(field) =>
          merge?.conflicts.includes(field) ? (
            <Theirs text={merge.theirs[field]} onTake={() => edit.takeTheirs(field)} />
          ) : undefined
        }
      />
    </Dialog>
  )
}
