import type { Model } from '@pegasus/contracts/stl-library/models'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { formatSizeMm } from '@/lib/format/format.ts'
import { ModelPicture } from '../../cards/model-picture.tsx'
import { modelQuery } from '../../stl-library.queries.ts'
import { AlreadyThere } from '../duplicate-note.tsx'
import { LineNote, TrayLine, WaitingPicture } from './tray-line.tsx'
import { formatBytes } from '@/lib/format/bytes.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface ArrivedLineProps {
  id: string
  name: string
  /** The model in the upload's response; null if only its id is known. */
  answered: Model | null
  /** True if the model is polled until it is measured. */
  isFollowed: boolean
  modelAddress: (id: string) => string
}

/** The line of a stored model. It links to the model, and names an existing duplicate. */
export function ArrivedLine({ id, name, answered, isFollowed, modelAddress }: ArrivedLineProps) {
  const { data } = useQuery({
    ...modelQuery(id),
    // Poll the model until it is measured, but do not poll models of earlier uploads again.
    enabled: ({ state }) => {
      const known = state.data ?? answered
      return known === null || (isFollowed && known.analysis_status === 'pending')
    },
  })
  const model = data ?? answered
  return (
    <TrayLine
      name={name}
      title={
        <Link to={modelAddress(id)} className="no-underline hover:underline">
          {name}
        </Link>
      }
      picture={model ? <ModelPicture model={model} className="size-10" isSmall /> : <WaitingPicture />}
      actions={
        <span className="grid size-7 place-items-center text-green-ink">
          <Check size={16} strokeWidth={1.75} role="img" aria-label={t('Added')} />
        </span>
      }
    >
      {model?.duplicate_of ? (
        <LineNote>
          <AlreadyThere id={model.duplicate_of} modelAddress={modelAddress} />
        </LineNote>
      ) : (
        <LineNote>{model ? describeFile(model) : t('Added')}</LineNote>
      )}
    </TrayLine>
  )
}

/** Describes a model's file: `20.4 KB · 51.1 × 34.6 × 10.0 mm · watertight`. */
function describeFile({ file_size, bounding_box_mm, is_watertight, analysis_status }: Model): string {
  const measured = {
    pending: [bounding_box_mm ? formatSizeMm(bounding_box_mm.size) : t('measuring…')],
    failed: [t('could not be measured')],
    done: [
      ...(bounding_box_mm ? [formatSizeMm(bounding_box_mm.size)] : []),
      ...(is_watertight === null ? [] : [is_watertight ? t('watertight') : t('not watertight')]),
    ],
  }[analysis_status]
  return joinFacts([formatBytes(file_size), ...measured])
}
