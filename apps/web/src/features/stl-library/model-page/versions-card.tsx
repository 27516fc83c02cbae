import { getModelVersionBytes, type ModelVersion } from '@pegasus/contracts/stl-library/model-changes'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { toastError } from '@/components/toast-error.ts'
import { Button } from '@/components/ui/actions/button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { callForBytes } from '@/lib/http/api.ts'
import { formatDateTime, formatKb } from '@/lib/format/format.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { AddVersionDialog } from '../model-forms/add-version-dialog.tsx'
import { CardState } from '@/components/card-state.tsx'
import { useMakeVersionCurrent, versionsQuery } from '../model-forms/model-mutations.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the versions of a model, newest first. Print jobs keep the version that they were created for. */
export function VersionsCard({ model, canChange }: { model: Model; canChange: boolean }) {
  const versions = useQuery(versionsQuery(model.id))
  const [isAdding, setIsAdding] = useState(false)
  return (
    <Card
      title={t('Versions')}
      aside={
        canChange ? (
          <Button
            size="sm"
            className="touch:my-1 phone:my-1"
            icon={<Upload size={14} strokeWidth={1.75} aria-hidden />}
            onClick={() => setIsAdding(true)}
          >
            {t('Upload new version')}
          </Button>
        ) : (
          versions.data?.length
        )
      }
    >
      <CardState
        error={t('The versions could not be loaded.')}
        loading={t('The versions: loading')}
        query={versions}
      />
      <ul className="divide-y divide-line">
        {versions.data?.map((version) => (
          <VersionRow key={version.id} version={version} canChange={canChange} />
        ))}
      </ul>
      {isAdding ? <AddVersionDialog model={model} onClose={() => setIsAdding(false)} /> : null}
    </Card>
  )
}

function VersionRow({ version, canChange }: { version: ModelVersion; canChange: boolean }) {
  const makeCurrent = useMakeVersionCurrent()
  const download = useMutation({
    mutationFn: async () => {
      const response = await callForBytes(getModelVersionBytes, { params: { id: version.id } })
      saveFile(await response.blob(), version.file_name)
    },
    onError: toastError,
  })
  const { number, triangles, uploaded_by: by, note } = version
  return (
    <li className="flex items-center gap-3 px-4 py-2.5 phone:flex-wrap">
      <span className="w-7 shrink-0 font-semibold text-ink-2">v{number}</span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={version.file_name}>
          <bdi className="block truncate">{version.file_name}</bdi>
        </p>
        <p className="text-caption text-ink-3">
          {formatKb(version.file_size)} {version.format.toUpperCase()}
          {' · '}
          {triangles === null ? null : (
            <>{t('{triangles, plural, one {# triangle} other {# triangles}}', { triangles })} · </>
          )}
          <time dateTime={version.created_at}>{formatDateTime(version.created_at)}</time>
          {by ? (
            <>
              {' · '}
              <bdi>{by}</bdi>
            </>
          ) : null}
        </p>
        {note ? (
          <p className="text-label text-ink-2 wrap-anywhere" dir="auto">
            {note}
          </p>
        ) : null}
      </div>
      {version.is_current ? (
        <span className="flex shrink-0 items-center gap-1 text-label font-[550] text-accent-ink">
          <Check size={14} strokeWidth={2} aria-hidden />
          {t('Current')}
        </span>
      ) : canChange ? (
        <Button
          size="sm"
          aria-label={t('Make version {number} current', { number })}
          isPending={makeCurrent.isPending}
          onClick={() => makeCurrent.mutate(version)}
        >
          {t('Make current')}
        </Button>
      ) : null}
      <IconButton
        label={t('Download version {number}', { number })}
        size="sm"
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        <Download size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </li>
  )
}
