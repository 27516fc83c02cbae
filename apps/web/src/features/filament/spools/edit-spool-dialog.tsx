import { getSpool, type Spool } from '@pegasus/contracts/filament/spools'
import { updateSpool } from '@pegasus/contracts/filament/spool-changes'
import { EditDialog } from '@/components/kit/edit-dialog.tsx'
import { editCalls } from '@/lib/http/api.ts'
import { useSpoolRefresh } from '../filament.queries.ts'
import { SpoolFields } from './spool-fields.tsx'
import { SPOOL_EDIT } from './spool-form.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Edits a spool and its filament. */
export function EditSpoolDialog({ spool, onClose }: { spool: Spool; onClose: () => void }) {
  const { id, label_code } = spool
  return (
    <EditDialog
      title={t('Edit {label_code}', { label_code })}
      description={t(
        'Density, temperatures, color code, low stock and drying belong to the filament. A change applies to all its spools.',
      )}
      size="lg"
      thing={spool}
      {...SPOOL_EDIT}
      {...editCalls(getSpool, updateSpool, { id })}
      savedText={() => t('{label_code} saved', { label_code })}
      onSaved={useSpoolRefresh()}
      onClose={onClose}
    >
      {({ form, change, errors, hintOf }) => (
        <SpoolFields form={form} change={change} errors={errors} hintOf={hintOf} />
      )}
    </EditDialog>
  )
}
