import { useSearchParams } from 'react-router'
import { TrashView } from '@/components/trash-view.tsx'
import { formatKb } from '@/lib/format/format.ts'
import { withTrash } from '../library-address.ts'
import { trashQuery, useRestoreModel } from './model-mutations.ts'
import { LICENSE_LABELS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the models deleted in the last 30 days and restores them. */
export function TrashPage() {
  const [params] = useSearchParams()
  const restore = useRestoreModel()
  return (
    <TrashView
      query={trashQuery}
      list={{ to: `?${withTrash(params, false)}`, name: t('STL Library'), one: 'model' }}
      note={t('and longer if something still uses them')}
      columns={[
        {
          id: 'size',
          head: t('Size'),
          track: '110px',
          isNumber: true,
          from: 760,
          cell: ({ file_size: bytes }) => formatKb(bytes),
        },
      ]}
      nameOf={({ title }) => title}
      pictureOf={({ thumbnail_path: src }) => ({ src })}
      row={({ title, file_name: fileName, license_type: license }) => (
        <>
          <p className="truncate font-medium" title={title}>
            <bdi className="block truncate">{title}</bdi>
          </p>
          <p className="truncate text-caption text-ink-3" title={fileName}>
            <bdi>{fileName}</bdi> · {LICENSE_LABELS[license]}
          </p>
        </>
      )}
      onRestore={restore.mutate}
      restoringId={restore.isPending ? restore.variables.id : null}
    />
  )
}
