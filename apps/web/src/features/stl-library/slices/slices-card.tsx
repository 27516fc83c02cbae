import type { Slice } from '@pegasus/contracts/slices/slices'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Layers, X } from 'lucide-react'
import { Fragment, useState, useEffect, useRef } from 'react'
import { CardState } from '@/components/card-state.tsx'
import { isFirstPlate } from '@/components/slices/print-of.ts'
import { slicesQuery } from '@/components/slices/slices.queries.ts'
import { profilesQuery } from '@/components/slicer-profiles/profiles.queries.ts'
import { DropArea } from '@/components/drop-area.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { formatBytesOf } from '@/lib/format/bytes.ts'
import { LayerViewerDialog } from './layers/layer-viewer-dialog.tsx'
import { SliceDialog } from './slice-dialog.tsx'
import { PlatesChoice } from './plates-choice.tsx'
import { SliceRow } from './slice-row.tsx'
import { sendSlice } from './slices.queries.ts'
import { SlicingRows } from './slicing-rows.tsx'
import { errorMessage } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Lists the sliced files of the model, with one row for each plate of each file. */
export function SlicesCard({ model, canChange }: { model: Model; canChange: boolean }) {
  const slices = useQuery(slicesQuery(model.id))
  const { uploads, add, dismiss } = useSliceUploads(model.id)
  const [viewed, setViewed] = useState<Slice | null>(null)
  const hasSlicer = useQuery(profilesQuery).data?.is_available ?? false
  const [isSlicing, setIsSlicing] = useState(false)
  const isEmpty = slices.data?.length === 0
  return (
    <Card title={t('Sliced files')} aside={isEmpty ? null : slices.data?.length}>
      <CardState
        error={t('The sliced files could not be loaded.')}
        loading={t('The sliced files: loading')}
        query={slices}
      />
      {isEmpty && !canChange ? (
        <p className="px-4 py-3 text-ink-3">{t('This model has not been sliced for a printer yet.')}</p>
      ) : null}
      <ul className="divide-y divide-line">
        {slices.data?.map((slice) => (
          <Fragment key={slice.id}>
            {slice.plates > 1 && isFirstPlate(slice, slices.data) ? (
              <PlatesChoice slice={slice} slices={slices.data} canChange={canChange} />
            ) : null}
            <SliceRow slice={slice} canChange={canChange} onView={() => setViewed(slice)} />
          </Fragment>
        ))}
        <SlicingRows modelId={model.id} canChange={canChange} />
        {uploads.map((upload) => (
          <UploadRow key={upload.key} upload={upload} onDismiss={() => dismiss(upload.key)} />
        ))}
      </ul>
      {canChange ? (
        <DropArea
          label={t('Add sliced files')}
          accept=".gcode,.bgcode,.3mf,.gco,.g"
          onFiles={add}
          className="m-4"
        >
          {t('G-code, binary G-code or a sliced 3MF, as the slicer exported it')}
        </DropArea>
      ) : null}
      {canChange && hasSlicer ? (
        <div className="px-4 pb-4">
          <Button
            icon={<Layers size={16} strokeWidth={1.75} aria-hidden />}
            className="w-full"
            onClick={() => setIsSlicing(true)}
          >
            {t('Slice on the server')}
          </Button>
        </div>
      ) : null}
      {isSlicing ? <SliceDialog model={model} onClose={() => setIsSlicing(false)} /> : null}
      {viewed ? <LayerViewerDialog slice={viewed} onClose={() => setViewed(null)} /> : null}
    </Card>
  )
}

const UploadRow = ({ upload, onDismiss }: { upload: SliceUpload; onDismiss: () => void }) => {
  const { name, sizeBytes, sentBytes, failure } = upload
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={name}>
          <bdi className="block truncate">{name}</bdi>
        </p>
        {failure === null ? (
          <>
            <Progress
              label={t('Uploading {name}', { name })}
              value={sentBytes}
              max={sizeBytes}
              className="my-1"
            />
            <p className="text-caption text-ink-3">
              {sentBytes >= sizeBytes
                ? t('{bytes} · reading the file', { bytes: formatBytesOf(sentBytes, sizeBytes) })
                : formatBytesOf(sentBytes, sizeBytes)}
            </p>
          </>
        ) : (
          <p role="alert" className="text-label text-red-ink wrap-anywhere">
            {failure}
          </p>
        )}
      </div>
      {failure === null ? null : (
        <IconButton label={t('Dismiss {name}', { name })} size="sm" onClick={onDismiss}>
          <X size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
    </li>
  )
}

/** A file that is being uploaded, or the reason why it was refused. */
interface SliceUpload {
  key: number
  name: string
  sizeBytes: number
  sentBytes: number
  failure: string | null
}

/** Uploads files one after the other. Files disappear from the list once they are stored. */
function useSliceUploads(modelId: string) {
  const client = useQueryClient()
  const [uploads, setUploads] = useState<readonly SliceUpload[]>([])
  const lastKey = useRef(0)
  const queue = useRef(Promise.resolve())
  const stopping = useRef(new AbortController())

  useEffect(() => {
    stopping.current = new AbortController()
    return () => stopping.current.abort()
  }, [])

  const change = (key: number, to: Partial<SliceUpload>) =>
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, ...to } : each)))
  const dismiss = (key: number) => setUploads((all) => all.filter((each) => each.key !== key))

  const send = async (key: number, file: File): Promise<void> => {
    const { signal } = stopping.current
    if (signal.aborted) return
    try {
      await sendSlice(modelId, file, { signal, onProgress: (sentBytes) => change(key, { sentBytes }) })
      await client.invalidateQueries({ queryKey: slicesQuery(modelId).queryKey })
      dismiss(key)
    } catch (error) {
      if (!signal.aborted) change(key, { failure: errorMessage(error, t('The file could not be uploaded.')) })
    }
  }

  const add = (files: readonly File[]) => {
    for (const file of files) {
      lastKey.current += 1
      const key = lastKey.current
      setUploads((all) => [
        ...all,
        { key, name: file.name, sizeBytes: file.size, sentBytes: 0, failure: null },
      ])
      queue.current = queue.current.then(() => send(key, file))
    }
  }
  return { uploads, add, dismiss }
}
