import { getSliceBytes, type Slice } from '@pegasus/contracts/slices/slices'
import { useMutation } from '@tanstack/react-query'
import { Download, Layers, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toastError } from '@/components/toast-error.ts'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { StatusBadge } from '@/components/ui/display/badge.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { saveFile } from '@/lib/browser/save-file.ts'
import { formatCount, formatGrams, formatMinutes } from '@/lib/format/format.ts'
import { callForBytes } from '@/lib/http/api.ts'
import { formatBytes } from '@/lib/format/bytes.ts'
import { EditSliceDialog } from './edit-slice-dialog.tsx'
import { PiecesInput } from './pieces-input.tsx'
import { useDeleteSlice } from './slices.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

interface SliceRowProps {
  slice: Slice
  canChange: boolean
  /** Opens the layer viewer. */
  onView: () => void
}

/** One plate of a sliced file: picture, printer, material, figures and actions. */
export function SliceRow({ slice, canChange, onView }: SliceRowProps) {
  const { file_name: name, plate, is_outdated: isOutdated, stl_version: version, notes } = slice
  const title = plate === 1 ? name : t('{name}, plate {plate}', { name, plate })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <Picture slice={slice} />
      <div className="min-w-52 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <bdi className="truncate font-medium" title={title}>
            {title}
          </bdi>
          {isOutdated ? (
            <StatusBadge status="outdated" tone="yellow">
              {t('Outdated: version {version}', { version })}
            </StatusBadge>
          ) : null}
        </p>
        <p className="text-label text-ink-2">
          <bdi className="font-[550]">{slice.printer_model ?? t('Unknown printer')}</bdi>
          {[
            slice.nozzle_mm === null
              ? null
              : t('{nozzle_mm} mm nozzle', { nozzle_mm: formatCount(slice.nozzle_mm) }),
            slice.layer_height_mm === null
              ? null
              : t('{layer_height_mm} mm layers', { layer_height_mm: formatCount(slice.layer_height_mm) }),
          ]
            .filter((part) => part !== null)
            .map((part) => ` · ${part}`)}
        </p>
        <Figures slice={slice} />
        {notes.map((note) => (
          <p key={note} className="text-caption text-ink-3">
            {serverText(note)}
          </p>
        ))}
      </div>
      <div className="ms-auto flex items-center gap-1">
        {slice.needs_all_plates ? null : (
          <PiecesInput key={slice.pieces} slice={slice} title={title} canChange={canChange} />
        )}
        <RowActions slice={slice} title={title} canChange={canChange} onView={onView} />
      </div>
    </li>
  )
}

function Picture({ slice }: { slice: Slice }) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null)
  const { thumbnail_path: src } = slice
  return (
    <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-control plinth">
      {src === null || src === failedSrc ? (
        <Layers size={20} strokeWidth={1.5} className="text-ink opacity-50" aria-hidden />
      ) : (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-contain"
          onError={() => setFailedSrc(src)}
        />
      )}
    </span>
  )
}

function Figures({ slice: { tools, grams, minutes, file_size: size } }: { slice: Slice }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-label text-ink-2">
      {tools.map((tool) => (
        <span key={tool.tool} className="inline-flex items-center gap-1">
          <ColorDot hex={tool.color_hex} />
          <bdi>{tool.material ?? t('Filament')}</bdi>
          {tools.length > 1 && tool.grams !== null ? formatGrams(tool.grams) : null}
        </span>
      ))}
      <span className="text-ink-3">
        {[
          grams === null ? null : formatGrams(grams),
          minutes === null ? null : formatMinutes(minutes),
          formatBytes(size),
        ]
          .filter((part) => part !== null)
          .map((part) => `· ${part} `)}
      </span>
    </p>
  )
}

function RowActions({ slice, title, canChange, onView }: SliceRowProps & { title: string }) {
  const remove = useDeleteSlice()
  const [isEditing, setIsEditing] = useState(false)
  const download = useMutation({
    mutationFn: async () => {
      const params = { id: slice.stl_file_id, slice_id: slice.id }
      const response = await callForBytes(getSliceBytes, { params })
      saveFile(await response.blob(), slice.file_name)
    },
    onError: toastError,
  })
  return (
    <>
      <IconButton label={t('Layers of {title}', { title })} size="sm" onClick={onView}>
        <Layers size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton
        label={t('Download {title}', { title })}
        size="sm"
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        <Download size={14} strokeWidth={1.75} aria-hidden />
      </IconButton>
      {canChange ? (
        <>
          <IconButton label={t('Edit {title}', { title })} size="sm" onClick={() => setIsEditing(true)}>
            <Pencil size={14} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <IconButton
            label={t('Delete {title}', { title })}
            size="sm"
            disabled={remove.isPending}
            onClick={() => remove.mutate(slice)}
          >
            <Trash2 size={14} strokeWidth={1.75} aria-hidden />
          </IconButton>
        </>
      ) : null}
      {isEditing ? <EditSliceDialog slice={slice} title={title} onClose={() => setIsEditing(false)} /> : null}
    </>
  )
}
